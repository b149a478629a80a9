// Runs the compiled tests on pairs of Node and graphql: `node spec-tests/matrix/run.mjs 20x16 24x17`.
import { execFileSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { listTests, runFiles } from '../run-files.mjs'

const everyPair = ['20x16', '22x16', '22x17', '24x17', '26x17', '20x16-compiled', '20x17-compiled']
const redirect = `--import=${new URL('graphql-16.mjs', import.meta.url).href}`
const compile = `--import=${new URL('compiled.mjs', import.meta.url).href}`
/** Of the exhaustive tests, those in which Node or graphql can make a difference, and that do not run with both by themselves. */
const repeated =
  'cli/serve clients conformance/wire docs hosts migration over-http package transports openapi uploads'
    .split(' ')
    .map((name) => `/exhaustive/${name}`)
const files = ['dist/spec-tests', 'dist/packages']
  .flatMap((folder) => listTests(folder))
  .filter((file) => !file.includes('/exhaustive/') || repeated.some((one) => file.includes(one)))

const pairs = process.argv.length > 2 ? process.argv.slice(2) : everyPair
const wrong = pairs.filter((pair) => !everyPair.includes(pair))
if (wrong.length > 0) {
  console.error(`matrix: not a pair: ${wrong.join(', ')}. Pairs: ${everyPair.join(', ')}.`)
  process.exit(2)
}

let failed = 0
for (const pair of pairs) if (!(await runPair(pair))) failed += 1
console.log(`pairs: ${pairs.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runPair(pair) {
  const [major, graphql, executor] = pair.split(/[x-]/)
  const isRunning = process.versions.node.split('.')[0] === major
  const node = isRunning ? process.execPath : nodePath(major)
  console.error(`matrix: ${pair}, ${files.length} files`)

  const parts = [graphql === '16' && redirect, executor !== undefined && compile]
  const NODE_OPTIONS = [process.env['NODE_OPTIONS'], ...parts].filter(Boolean).join(' ')
  const PATH = `${dirname(node)}${delimiter}${process.env['PATH']}`
  const env = { ...process.env, NODE_OPTIONS, PATH }
  return (await runFiles(files, { node, env })) === 0
}

/** The package `node` brings every version. */
function nodePath(major) {
  const words = ['-y', '-p', `node@${major}`, 'node', '-p', 'process.execPath']
  return execFileSync('npx', words, { encoding: 'utf8' }).trim()
}
