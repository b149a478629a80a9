// Runs the compiled tests on pairs of Node and graphql: `node spec-tests/matrix/run.mjs 20x16 24x17`.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const everyPair = ['20x16', '22x16', '22x17', '24x17', '26x17']
const root = fileURLToPath(new URL('../../', import.meta.url))
const redirect = new URL('graphql-16.mjs', import.meta.url).href
const tests = readdirSync(join(root, 'dist/spec-tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  // The data of the suite, its reporters and what proxies do are the same on every pair; attacks and the
  // corpus run both majors by themselves.
  .filter((name) => !/^(?:conformance|attacks|proxies)\/|^engine\/validate-corpus/.test(name))
  .map((name) => join('dist/spec-tests', name))
  .toSorted()

const pairs = process.argv.length > 2 ? process.argv.slice(2) : everyPair
const wrong = pairs.filter((pair) => !everyPair.includes(pair))
if (wrong.length > 0) {
  console.error(`matrix: not a pair: ${wrong.join(', ')}. Pairs: ${everyPair.join(', ')}.`)
  process.exit(2)
}

const failed = pairs.filter((pair) => !runPair(pair))
console.log(`${pairs.length - failed.length} passed, ${failed.length} failed`)
process.exit(failed.length === 0 ? 0 : 1)

function runPair(pair) {
  const [node, graphql] = pair.split('x')
  console.error(`matrix: Node ${node} with graphql ${graphql}, ${tests.length} files`)
  const options = [process.env['NODE_OPTIONS'], graphql === '16' ? `--import=${redirect}` : '']
  const env = { ...process.env, NODE_OPTIONS: options.filter(Boolean).join(' ') }
  const [command, ...before] = nodeCommand(node)
  const { status } = spawnSync(
    command,
    [...before, '--test', '--test-concurrency=2', '--test-reporter=dot', ...tests],
    { cwd: root, env, stdio: 'inherit' },
  )
  return status === 0
}

/** The running Node where it is the one, else the package `node`, which brings every version. */
function nodeCommand(major) {
  if (process.versions.node.split('.')[0] === major) return [process.execPath]
  return ['npx', '-y', '-p', `node@${major}`, 'node']
}
