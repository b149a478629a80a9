import t from 'tap'
import { makeServerPages } from './server-pages.js'

const pages = makeServerPages()

void t.test(
  'each server of the report has a page, best first, and its figures add up',
  async (t) => {
    const index = pages.get('README.md') ?? ''
    const rows = [...index.matchAll(/^\| \[.+?\]\((.+?)\) \| (.+) \|$/gm)]
    t.strictSame(
      rows.map(([, page]) => page).toSorted(),
      [...pages.keys()].filter((one) => one !== 'README.md').toSorted(),
    )
    const fails = rows.map(([, page = '', cells = '']) => {
      const [language, ...numbers] = cells.split(' | ')
      const figures = numbers.map(Number)
      t.ok(language, page)
      t.equal(
        figures.slice(0, -1).reduce((sum, one) => sum + one, 0),
        figures.at(-1),
        page,
      )
      return figures[1] ?? 0
    })
    t.ok(fails.length >= 10)
    t.strictSame(
      fails,
      fails.toSorted((one, other) => one - other),
    )
  },
)

void t.test(
  'a page of a server has both editions, its suites, what fails, and a link for a badge',
  async (t) => {
    const page = pages.get('graphql-yoga.md') ?? ''
    for (const part of [
      '# graphql-yoga: conformance',
      '| September 2026 |',
      '| May 2025 (draft) |',
      '| accept | ',
      '- **SC-15** warn',
      '/servers/graphql-yoga.html)',
    ]) {
      t.match(page, part)
    }
  },
)
