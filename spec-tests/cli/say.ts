import { runCli } from '../../src/cli/run-cli.js'
import type { Environment } from '../../src/cli/arguments/read-flags.js'

/** What a command printed, and its exit code. */
export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command in this process. */
export async function say(words: readonly string[], env: Environment = {}): Promise<Said> {
  let out = ''
  let err = ''
  const code = await runCli(words, {
    env,
    out: (text) => (out += text),
    err: (text) => (err += text),
  })
  return { code, out, err }
}
