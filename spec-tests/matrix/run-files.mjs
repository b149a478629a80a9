import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const root = new URL('../../', import.meta.url)
// Without it a file has 30 seconds, which several need on a busy machine.
const [, timeout] = /^timeout: (\d+)$/m.exec(readFileSync(new URL('.taprc', root), 'utf8'))

/** Runs test files beside each other; returns which passed, and after how many seconds each had ended. */
export async function runFiles(node, names, env) {
  const left = [...names]
  const ended = []
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      ended.push(await runFile(node, name, { ...env, TAP_TIMEOUT: timeout }))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return ended
}

function runFile(node, name, env) {
  const begun = performance.now()
  const child = spawn(node, [`dist/spec-tests/${name}`], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const hasPassed = code === 0
      if (hasPassed) process.stderr.write('.')
      else console.log(`\nnot ok ${name}\n${failuresOf(output)}`)
      resolve({ name, hasPassed, seconds: (performance.now() - begun) / 1000 })
    })
  })
}

/** The failed tests with their diagnostics; the end of the output if it is something else. */
function failuresOf(output) {
  const failures = output.match(/^ *not ok .*(?:\n *---\n[^]*?\n *\.\.\.$)?/gm)
  return failures?.join('\n') ?? output.split('\n').slice(-40).join('\n')
}
