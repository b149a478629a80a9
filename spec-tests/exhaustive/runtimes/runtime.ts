import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { jsonOf, valueOf } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { installed } from '../installed.js'

export const root: string = fileURLToPath(new URL('../../../../', import.meta.url))
export const folder = `${root}spec-tests/exhaustive/runtimes/`

export const programs = {
  bun: `${installed}node_modules/@oven/bun-linux-x64/bin/bun`,
  deno: `${installed}node_modules/@deno/linux-x64-glibc/deno`,
  workerd: `${installed}node_modules/@cloudflare/workerd-linux-64/bin/workerd`,
} as const

export type RuntimeName = keyof typeof programs

/** A server that a runtime serves, with what it prints beside its URL. */
export interface Running {
  readonly url: string
  readonly stderr: () => string
  /** Sends SIGTERM; resolves with the exit code and the signal. */
  readonly stop: () => Promise<unknown>
}

interface StartOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly urlOf?: (line: string) => string | undefined
}

/** Starts a server that prints its URL, or what `urlOf` reads it from, as one of its first lines. */
export async function startRuntime(
  t: Test,
  command: readonly [program: string, ...args: string[]],
  { cwd = folder, env = {}, urlOf = (line: string) => line }: StartOptions = {},
): Promise<Running> {
  const [program, ...args] = command
  // Not those of Node, which are for this process.
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited, ...env, PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const closed = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await closed
  })
  // One listener hears every line: several of them may come in one chunk.
  const lines = createInterface(child.stdout)
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = urlOf(line)
      if (found !== undefined) resolve(found)
    })
    void closed.then(() => reject(new Error(`It ended: ${stderr}`)))
  })
  const stop = (): Promise<unknown> => {
    child.kill()
    return closed
  }
  return { url, stderr: () => stderr, stop }
}

/** Asks an example for what each of them answers: what any server must do is for the fixtures. */
export async function checkExample(t: Test, endpoint: string): Promise<void> {
  const send = http1Client(endpoint)
  const query = { query: 'query($n: String) { hello(name: $n) }', variables: { n: 'Zoë' } }
  const hello = await send({ body: JSON.stringify(query) })
  t.equal(hello.status, 200)
  t.same(jsonOf(hello), { data: { hello: 'Hello, Zoë!' } })
  const mutation = await send({ query: '?query=mutation{count}' })
  t.equal(mutation.status, 405)
  t.equal(valueOf(mutation, 'allow'), 'POST, QUERY, OPTIONS')
  t.equal((await http1Client(`${endpoint}/deeper`)({ query: '?query={hello}' })).status, 404)
}
