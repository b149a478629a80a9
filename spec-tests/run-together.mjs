// Runs test files one after another in this process: `run-files.mjs` sends their paths. Starting a process for each would
// take longer than the tests.
import { pathToFileURL } from 'node:url'
import t from 'tap'

const folder = process.cwd()
const { test } = t
let tests = []
let cleanups = []
t.test = (...args) => {
  const run = test.apply(t, args)
  tests.push(run)
  return run
}
// What a file says of its process holds for the file.
t.teardown = (cleanup) => cleanups.push(cleanup)
t.setTimeout = () => {}

process.on('message', async (file) => {
  ;[tests, cleanups] = [[], []]
  t.jobs = 1
  process.chdir(folder)
  try {
    await import(pathToFileURL(file).href)
    for (let done = 0; done < tests.length; done = tests.length) await Promise.allSettled(tests)
    for (const cleanup of cleanups) await cleanup()
  } catch (error) {
    t.fail(`${file} cannot be run`, { error: String(error?.stack ?? error) })
  }
  // After the results, in the same stream. A comment of tap's would wait for the next result.
  process.stdout.write(`# end of ${file}\n`)
})
// Neither the tests nor the end of one of them ends the process.
setInterval(() => {}, 2 ** 30)
process.once('disconnect', () => process.exit())
process.send('ready')
