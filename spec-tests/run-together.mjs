// Runs test files one after another in this process: `run-files.mjs` sends their paths. Starting a process for each would
// take longer than the tests.
import { pathToFileURL } from 'node:url'
import t from 'tap'

const { test } = t
let tests = []
t.test = (...args) => {
  const run = test.apply(t, args)
  tests.push(run)
  return run
}

process.on('message', async (file) => {
  tests = []
  try {
    await import(pathToFileURL(file).href)
    for (let done = 0; done < tests.length; done = tests.length) await Promise.allSettled(tests)
  } catch (error) {
    t.fail(`${file} cannot be imported`, { error: String(error?.stack ?? error) })
  }
  // After the results, in the same stream. A comment of tap's would wait for the next result.
  process.stdout.write(`# end of ${file}\n`)
})
// Neither the tests nor the end of one of them ends the process.
setInterval(() => {}, 2 ** 30)
process.once('disconnect', () => process.exit())
process.send('ready')
