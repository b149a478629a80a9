// Fails where the tests that just ran covered less of the source than they are known to cover.
import { readFileSync } from 'node:fs'

const least = { lines: 98, branches: 94, functions: 96 }
const url = new URL('../.tap/report/coverage-summary.json', import.meta.url)
const { total } = JSON.parse(readFileSync(url, 'utf8'))
const low = Object.entries(least).filter(([name, wanted]) => !(total[name].pct >= wanted))
for (const [name, wanted] of low) {
  console.error(`coverage: ${total[name].pct} % of the ${name}, less than ${wanted} %`)
}
process.exitCode = low.length === 0 ? 0 : 1
