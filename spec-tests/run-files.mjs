import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const root = new URL('../', import.meta.url)
// Without it a file has 30 seconds, which several need on a busy machine.
const [, timeout] = /^timeout: (\d+)$/m.exec(readFileSync(new URL('.taprc', root), 'utf8'))

/**
 * Runs compiled test files, as many beside each other as the machine has cores, and prints a dot or the failures of
 * each. Returns the number of files that failed.
 */
export async function runFiles(files, { node = process.execPath, env = process.env, lanes } = {}) {
  const begun = performance.now()
  const left = [...files]
  const ended = []
  const work = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const { output, code, seconds } = await runFile(node, file, { ...env, TAP_TIMEOUT: timeout })
      if (code === 0) process.stderr.write('.')
      else console.log(`\nnot ok ${file}\n${failuresOf(output)}`)
      ended.push({ file, hasPassed: code === 0, seconds, skipped: skipsOf(output) })
    }
  }
  await Promise.all(Array.from({ length: lanes ?? availableParallelism() }, work))
  report(ended, (performance.now() - begun) / 1000)
  return ended.filter(({ hasPassed }) => !hasPassed).length
}

function runFile(node, file, env) {
  const begun = performance.now()
  const stdio = ['ignore', 'pipe', 'pipe']
  // A file that is stuck cannot end itself.
  const limit = { timeout: (Number(timeout) + 60) * 1000, killSignal: 'SIGKILL' }
  const child = spawn(node, [file], { cwd: root, env, stdio, ...limit })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ output, code, seconds: (performance.now() - begun) / 1000 })
    })
  })
}

/** The failed tests with their diagnostics; the end of the output if it is something else. */
function failuresOf(output) {
  const failures = output.match(/^ *not ok .*(?:\n *---\n[^]*?\n *\.\.\.$)?/gm)
  return failures?.join('\n') ?? output.split('\n').slice(-40).join('\n')
}

function skipsOf(output) {
  return [...output.matchAll(/^ *ok .* # SKIP ?(.*)$/gm)].map(([, why]) => why || 'no reason')
}

/** Prints the files that took the longest, and what was skipped, to stderr; the files that failed to stdout. */
function report(ended, seconds) {
  const lines = [`\n${ended.length} files in ${seconds.toFixed(0)} s; the slowest:`]
  const slowest = ended.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10)
  for (const one of slowest) lines.push(`${one.seconds.toFixed(1).padStart(8)} ${one.file}`)
  const reasons = ended.flatMap(({ file, skipped }) => skipped.map((why) => `${file}: ${why}`))
  for (const line of new Set(reasons)) lines.push(`skipped in ${line}`)
  console.error(lines.join('\n'))
  for (const { file, hasPassed } of ended) if (!hasPassed) console.log(`failed: ${file}`)
}
