import t from 'tap'
import { findCodes } from '../cli/explain/engine-source.js'
import { makeCodePages } from '../../site/pages/code-pages.js'
import { pageOfCode } from '../../site/pages/topic-parts.js'

void t.test('each code of the source has a page with cause and remedy', async (t) => {
  const pages = makeCodePages()
  for (const code of findCodes()) {
    t.match(pages.get(pageOfCode(code)), '| Status | About | Cause | Remedy |', code)
    t.match(pages.get('README.md'), `[\`${code}\`](${pageOfCode(code)})`)
  }
  t.match(pages.get('README.md'), '| 406 | `NOT_ACCEPTABLE` |', 'every refusal has a row')
})
