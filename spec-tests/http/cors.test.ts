import t from 'tap'
import { createCors } from '../../src/http/cors.js'

const own = 'https://app.example'

// oxfmt-ignore
const rows: readonly (readonly [origins: '*' | string[] | undefined, origin: string, allows: boolean, names: boolean])[] = [
  [[own],     own,                   true,  true],
  [[own],     'https://b.example',   false, false],
  ['*',       own,                   true,  false],
  [[],        own,                   false, false],
  [undefined, own,                   false, false],
]

void t.test(
  'which origins may read responses, and which are named, so that they may open sockets',
  async (t) => {
    for (const [origins, origin, allows, names] of rows) {
      const cors = createCors(origins && { origins }, () => 'POST')
      t.same(
        [cors.allows(origin), cors.names(origin)],
        [allows, names],
        `${String(origins)}: ${origin}`,
      )
    }
  },
)
