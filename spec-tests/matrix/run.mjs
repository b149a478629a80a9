// Runs the compiled tests on pairs of Node and graphql: `node spec-tests/matrix/run.mjs 20x16 24x17`.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { chooseFiles } from './left-out.mjs'
import { runFiles } from '../run-files.mjs'

const everyPair = ['20x16', '22x16', '22x17', '24x17', '26x17', '20x16-compiled', '20x17-compiled']
const redirect = `--import=${new URL('graphql-16.mjs', import.meta.url).href}`
const compile = `--import=${new URL('compiled.mjs', import.meta.url).href}`
const tests = readdirSync(new URL('../../dist/spec-tests', import.meta.url), {
  recursive: true,
  encoding: 'utf8',
})
const names = tests.filter((name) => name.endsWith('.test.js')).toSorted()

const pairs = process.argv.length > 2 ? process.argv.slice(2) : everyPair
const wrong = pairs.filter((pair) => !everyPair.includes(pair))
if (wrong.length > 0) {
  console.error(`matrix: not a pair: ${wrong.join(', ')}. Pairs: ${everyPair.join(', ')}.`)
  process.exit(2)
}

let failed = 0
for (const pair of pairs) if (!(await runPair(pair))) failed += 1
console.log(`${pairs.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runPair(pair) {
  const [major, graphql, executor] = pair.split(/[x-]/)
  const isRunning = process.versions.node.split('.')[0] === major
  const node = isRunning ? process.execPath : nodePath(major)
  const differences = [
    ...(isRunning ? [] : ['node']),
    ...(graphql === '17' ? [] : ['graphql']),
    ...(executor === undefined ? [] : ['executor']),
  ]
  const chosen = chooseFiles(names, differences)
  const of = `${chosen.length} of ${names.length} files`
  console.error(`matrix: ${pair}, ${of}`)

  const options = [
    process.env['NODE_OPTIONS'],
    graphql === '16' ? redirect : '',
    executor === undefined ? '' : compile,
  ]
  const env = {
    ...process.env,
    NODE_OPTIONS: options.filter(Boolean).join(' '),
    PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
  }
  const files = chosen.map((name) => `dist/spec-tests/${name}`)
  return (await runFiles(files, { node, env })) === 0
}

/** The package `node` brings every version. */
function nodePath(major) {
  const words = ['-y', '-p', `node@${major}`, 'node', '-p', 'process.execPath']
  return execFileSync('npx', words, { encoding: 'utf8' }).trim()
}
