import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { settingTable } from '../../settings.js'

/** The script of the service as it is built. */
const main = fileURLToPath(new URL('../../main.js', import.meta.url))

/** How a process is started. */
export interface ProcessOptions {
  readonly cwd?: string
  /** Settings; those of the test's own environment do not count. */
  readonly env?: { readonly [name: string]: string }
  /** The script to run. Default: that of this service. */
  readonly script?: string
  /** Where stdout goes, if not to `said`. */
  readonly stdout?: number
}

/** Starts `node people/dist/main.js` on a free port and resolves when it listens. */
export async function startProcess(args: readonly string[], options?: ProcessOptions) {
  const service = begin(args.includes('--port') ? args : ['--port', '0', ...args], options)
  const { child, said, ended } = service
  const origin = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const found = /^listening on (\S+)$/m.exec(said.err)?.[1]
      if (found !== undefined) resolve(found)
    })
    ended.then((code) => reject(new Error(`the service ended with ${code}: ${said.err}`)), reject)
  })
  return { ...service, origin }
}

/** Runs `node people/dist/main.js` until it ends by itself. */
export async function runToEnd(
  args: readonly string[],
  { stdin = '', ...options }: ProcessOptions & { readonly stdin?: string } = {},
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const { child, said, ended } = begin(args, options)
  child.stdin?.end(stdin)
  return { code: await ended, ...said }
}

/** Starts `node people/dist/main.js` and does not wait until it listens. */
export function begin(
  args: readonly string[],
  { cwd, env, script = main, stdout }: ProcessOptions = {},
) {
  const stdio: StdioOptions = ['pipe', stdout ?? 'pipe', 'pipe']
  const names = new Set(['NODE_ENV', ...Object.values(settingTable).map((setting) => setting.env)])
  const others = Object.entries(process.env).filter(([name]) => !names.has(name))
  const all = { ...Object.fromEntries(others), ...env }
  const child = spawn(process.execPath, [script, ...args], { cwd, env: all, stdio })
  // A test that fails, or is cut, must not leave it behind.
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  /** What it has written so far. */
  const said = { err: '', out: '' }
  child.stdout?.on('data', (chunk) => (said.out += String(chunk)))
  child.stderr?.on('data', (chunk) => (said.err += String(chunk)))
  child.stdin?.on('error', () => {}) // it may end without reading
  // The exit code. Behind `close` nothing more can come on the pipes.
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', end)
    return code as number | null
  })
  const signal = (name: NodeJS.Signals): void => void child.kill(name)
  const endBy = (name: NodeJS.Signals) => {
    child.kill(name)
    return ended
  }
  return { child, said, ended, signal, stop: () => endBy('SIGTERM'), kill: () => endBy('SIGKILL') }
}
