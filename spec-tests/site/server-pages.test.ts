import t from 'tap'
import { makeServerPages } from '../../site/pages/server-pages.js'

const pages = makeServerPages()

void t.test('each server has a page, the best first, and its figures add up', async (t) => {
  const rows = [
    ...(pages.get('README.md') ?? '').matchAll(/^\| \[.+?\]\((.+?)\) \| ([\d |]+) \| \w+ \|$/gm),
  ].map(([, page = '', cells = '']) => ({ page, figures: cells.split(' | ').map(Number) }))
  const names = ['README.md', ...rows.map(({ page }) => page)]
  t.strictSame(names.toSorted(), [...pages.keys()].toSorted())
  for (const { page, figures } of rows) {
    const sum = figures.slice(0, -1).reduce((all, one) => all + one, 0)
    t.equal(sum, figures.at(-1), page)
  }
  // The last two run the suites of streams only.
  const fails = rows.slice(0, -2).map(({ figures: [, fail = 0] }) => fail)
  t.ok(fails.length > 5)
  const sorted = fails.toSorted((one, other) => one - other)
  t.strictSame(fails, sorted)
})

// oxfmt-ignore
const parts = ['# graphql-yoga: conformance', '| September 2026 |', '| May 2025 (draft) |', '| accept | ', '## What breaks a SHOULD', '  - the status is 400, not 422: ', '/servers/graphql-yoga.html)']
for (const part of parts) {
  void t.test(`a page of a server has ${part}`, async (t) =>
    t.match(pages.get('graphql-yoga.md'), part),
  )
}
