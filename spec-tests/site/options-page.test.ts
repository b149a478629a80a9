import t from 'tap'
import { makeOptionsPage } from './options-page.js'

void t.test('the page of options has each option with its default', async (t) => {
  const page = makeOptionsPage()
  t.match(page, '| `schema` | required |')
  t.match(page, /\| `maxDepth` \| \d+ \|/)
})
