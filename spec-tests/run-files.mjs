import { fork, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { finished } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'

const root = new URL('../', import.meta.url)
const together = fileURLToPath(new URL('run-together.mjs', import.meta.url))
/** A test that prints nothing for so long hangs. Those that measure for longer are exhaustive. */
const silence = 120_000
/** Browsers, installations and whole runs of the suite take their time on a busy machine. */
const longest = 600_000
/** In seconds, as tap reads it: for an exhaustive file and for each test in it. */
const tapTimeout = String(longest / 1000 - 60)

/** The compiled tests of a folder. What is left of a test that was moved or deleted does not count. */
export function listTests(folder) {
  const options = { recursive: true, encoding: 'utf8' }
  return readdirSync(new URL(folder, root), options)
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => `${folder}/${name}`)
    .filter((file) => existsSync(new URL(file.replace('dist/', '').replace(/js$/, 'ts'), root)))
    .toSorted()
}

/**
 * Runs compiled test files on all cores and prints the failures, then a summary. Fast files share a process per core, each
 * exhaustive one has its own, and attacks run alone, since they measure how long others wait. Returns how many failed.
 */
export async function runFiles(files, { node = process.execPath, env = process.env } = {}) {
  const begun = performance.now()
  const isExhaustive = (file) => file.includes('/exhaustive/')
  const isAttack = (file) => file.includes('/exhaustive/attacks/')
  const progress = showProgress(files.length, begun)
  const run = async (left, lanes, work) => {
    const lane = () => work(left, progress, { node, env })
    await Promise.all(Array.from({ length: Math.min(lanes, left.length) }, lane))
  }
  const cores = availableParallelism()
  const fast = files.filter((file) => !isExhaustive(file))
  const apart = files.filter((file) => isExhaustive(file) && !isAttack(file))
  await run(fast, cores, runTogether)
  await run(apart, cores, runApart)
  await run(files.filter(isAttack), 1, runApart)
  progress.stop()
  return report(progress.ended, (performance.now() - begun) / 1000)
}

/** What `run-together.mjs` prints behind the results of a file. */
export function endOf(file) {
  return ` - end of ${file}\n`
}

/** Hands one file after another to a process; another process takes over where one dies or hangs. */
async function runTogether(left, progress, { node, env }) {
  while (left.length > 0) {
    const options = { cwd: root, execPath: node, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }
    const child = fork(together, { ...options, env: { ...env, TAP_TIMEOUT: '0' } })
    await new Promise((resolve) => {
      let [file, output, since, timer] = []
      const end = (why) => {
        if (file === undefined) return
        progress.end(file, output, (performance.now() - since) / 1000, why)
        file = undefined
      }
      const next = () => {
        clearTimeout(timer)
        ;[file, output, since] = [left.shift(), '', performance.now()]
        // Node fails if a process is disconnected while it hands on a message.
        if (file === undefined) return void setImmediate(() => child.disconnect())
        progress.begin(file)
        child.send(file)
        watch()
      }
      const watch = () => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          end(`hangs: nothing was printed for ${silence / 1000} s after the test above`)
          child.kill('SIGKILL')
        }, silence)
      }
      const take = (text) => {
        if (file !== undefined) watch()
        output += text
        const [results, rest] = output.split(endOf(file))
        if (rest === undefined) return
        output = results
        end()
        next()
      }
      child.stdout.setEncoding('utf8').on('data', take)
      child.stderr.setEncoding('utf8').on('data', take)
      child.once('message', next)
      // Its `close` does not come after a disconnect.
      child.once('exit', (code) =>
        finished(child.stdout, () => {
          clearTimeout(timer)
          end(`ended the process (exit code ${code})`)
          resolve()
        }),
      )
    })
  }
}

async function runApart(left, progress, { node, env }) {
  for (let file = left.shift(); file !== undefined; file = left.shift()) {
    progress.begin(file)
    const since = performance.now()
    const limit = { timeout: longest, killSignal: 'SIGKILL' }
    const stdio = ['ignore', 'pipe', 'pipe']
    const own = { ...env, TAP_TIMEOUT: tapTimeout }
    const child = spawn(node, [file], { cwd: root, env: own, stdio, ...limit })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    }
    const [code, signal] = await new Promise((resolve, reject) => {
      child.once('error', reject).once('close', (...how) => resolve(how))
    })
    const why = signal ? `hangs: it was ended after ${longest / 1000} s` : `exit code ${code}`
    progress.end(file, output, (performance.now() - since) / 1000, code === 0 ? undefined : why)
  }
}

/** Shows what runs: on a terminal in one line that changes, elsewhere in a line every 15 seconds. */
function showProgress(total, begun) {
  const { stderr } = process
  const running = new Set()
  const ended = []
  const show = () => {
    const failed = ended.filter(({ failure }) => failure !== undefined).length
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    const line = `${seconds.padStart(4)} s  ${ended.length} of ${total} files, ${failed} failed`
    if (!stderr.isTTY) return stderr.write(`${line}\n`)
    const names = [...running].map(shorten).join('  ')
    stderr.write(`\r\x1b[K${`${line}  ${names}`.slice(0, stderr.columns - 1)}`)
  }
  const timer = setInterval(show, stderr.isTTY ? 100 : 15_000)
  return {
    ended,
    begin: (file) => running.add(file),
    end(file, output, seconds, why) {
      running.delete(file)
      const hasFailed = /^ *not ok (?!.*# (?:SKIP|TODO))/m.test(output)
      const failure =
        why ?? (hasFailed ? 'failed' : /^ok \d+ - /m.test(output) ? undefined : 'ran no test')
      const skipped = [...output.matchAll(/^ *ok .* # SKIP ?(.*)$/gm)].map(([, reason]) => reason)
      const shown = failure === undefined ? '' : failuresOf(output)
      ended.push({ file, seconds, skipped, failure: failure && `${shown}\n${failure}` })
      if (failure !== undefined && !stderr.isTTY) stderr.write(`not ok ${shorten(file)}\n`)
    },
    stop() {
      clearInterval(timer)
      if (stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}

/** The failed tests with their diagnostics; the end of the output if it is something else. */
function failuresOf(output) {
  const failures = output.match(/^ *not ok .*(?:\n *---\n[^]*?\n *\.\.\.$)?/gm)
  return failures?.join('\n') ?? output.split('\n').slice(-40).join('\n')
}

function shorten(file) {
  return file.replace(/^(people\/)?dist\/spec-tests\//, '$1').replace('.test.js', '')
}

/** The failures, each with the command that repeats it, then what was skipped, what was slow, and the counts. */
function report(ended, seconds) {
  const failed = ended.filter(({ failure }) => failure !== undefined)
  for (const { file, failure } of failed) {
    const repeat = `repeat: npx tsc -b && TAP_TIMEOUT=${tapTimeout} node ${file}\n`
    console.log(`${styleText('red', `not ok ${shorten(file)}`)}\n${failure}`)
    console.log(styleText('yellow', repeat))
  }
  for (const { file, skipped } of ended) {
    for (const why of new Set(skipped)) {
      console.log(`skipped in ${shorten(file)}: ${why || 'no reason'}`)
    }
  }
  const slowest = ended.toSorted((one, other) => other.seconds - one.seconds).slice(0, 5)
  const list = slowest.map((one) => `${shorten(one.file)} (${one.seconds.toFixed(1)} s)`)
  console.log(`${seconds.toFixed(0)} s; the slowest: ${list.join(', ')}`)
  console.log(`files: ${ended.length - failed.length} passed, ${failed.length} failed`)
  return failed.length
}
