// Runs test files one after another in this process: `run-files.mjs` sends their paths. Starting a process for each would
// take longer than the tests.
import { pathToFileURL } from 'node:url'
import t from 'tap'

const folder = process.cwd()
const { stackTraceLimit } = Error
const { test } = t
/** @type {Promise<unknown>[]} */
let tests = []
/** @type {(() => unknown)[]} */
let cleanups = []
t.test = (...args) => {
  const run = test.apply(t, args)
  tests.push(run)
  return run
}
// What a file says of its process holds for the file.
t.teardown = (cleanup) => cleanups.push(cleanup)
t.setTimeout = () => {}

process.on('message', async (/** @type {string} */ file) => {
  ;[tests, cleanups] = [[], []]
  t.jobs = 1
  Error.stackTraceLimit = stackTraceLimit
  process.chdir(folder)
  try {
    await import(pathToFileURL(file).href)
    // A test may add others.
    for (let at = 0; at < tests.length; at += 1) await tests[at]
    for (const cleanup of cleanups) await cleanup()
  } catch (error) {
    t.fail(`${file} cannot be run`, { error: String(error?.stack ?? error) })
  }
  // A result like the others, so that it comes after them, however slowly they are read.
  t.pass(`end of ${file}`)
})
// Neither the tests nor the end of one of them ends the process.
setInterval(() => {}, 2 ** 30)
process.once('disconnect', () => process.exit())
process.send('ready')
