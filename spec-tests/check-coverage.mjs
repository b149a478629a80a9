// Fails where the tests that just ran covered less of the source than they are known to cover.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const least = { lines: 98, branches: 94, functions: 96 }
const root = fileURLToPath(new URL('..', import.meta.url))
const url = new URL('../.tap/report/coverage-summary.json', import.meta.url)
const summary = JSON.parse(readFileSync(url, 'utf8'))
// Tests start other servers, too, such as one of Next; what they run of those is not ours.
const ours = Object.keys(summary).filter((file) => isSource(relative(root, file)))
const low = Object.entries(least).filter(([name, wanted]) => !(share(name) >= wanted))
for (const [name, wanted] of low) {
  console.error(`coverage: ${share(name).toFixed(2)} % of the ${name}, less than ${wanted} %`)
}
process.exitCode = low.length === 0 ? 0 : 1

function isSource(path) {
  return (
    /^(?:src|people|packages\/[\w-]+\/src)\//.test(path) &&
    !/\/(?:spec-tests|node_modules)\//.test(path)
  )
}

function share(name) {
  const sum = (part) => ours.reduce((before, file) => before + summary[file][name][part], 0)
  return (100 * sum('covered')) / sum('total')
}
