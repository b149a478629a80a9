import t from 'tap'
import { makeFlagsPage } from '../../site/pages/flags-page.js'
import { makeOptionsPage } from '../../site/pages/options-page.js'

void t.test('the page of options has each option with its default', async (t) => {
  const page = makeOptionsPage()
  t.match(page, '| `schema` | required |')
  t.match(page, /\| `maxDepth` \| \d+ \|/)
})

void t.test('the page of flags has those of each command', async (t) => {
  const page = makeFlagsPage()
  t.match(
    page,
    '| `--port <integer>` | 4000 | Port to listen on; 0 picks a free one. Variable: `PORT`. |',
  )
  t.match(page, /^## init$/m)
  t.match(page, '<2026-09\\|2025-05>')
})
