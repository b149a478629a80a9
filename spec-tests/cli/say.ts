import { runCli } from '../../src/cli/run-cli.js'
import type { Environment, Screen, Terminal } from '../../src/cli/process/terminal.js'

/** The output of a process that is read by another. */
export const pipe: Screen = { isTerminal: false, columns: Infinity, colour: false }

/** A terminal without output; by default both outputs are pipes. */
export function terminalWith(env: Environment = {}, screen = pipe): Terminal {
  return { env, stdout: screen, stderr: screen, out: () => {}, err: () => {} }
}

/** Runs a command in this process: what it prints, and its exit code. */
export async function say(words: readonly string[], env = {}, screen: Partial<Screen> = {}) {
  let out = ''
  let err = ''
  const code = await runCli(words, {
    ...terminalWith(env, { ...pipe, ...screen }),
    out: (text) => (out += text),
    err: (text) => (err += text),
  })
  return { code, out, err }
}
