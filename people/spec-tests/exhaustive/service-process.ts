import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
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
  /** What is built, if it is not this service. */
  readonly script?: string
  /** Where stdout goes, if not to `said`. */
  readonly stdout?: number
}

/** The service as a process of its own. */
export interface ServiceProcess {
  readonly origin: string
  readonly pid: number
  /** What it has written to stderr and stdout so far. */
  readonly said: { readonly err: string; readonly out: string }
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** Sends SIGTERM and gives the exit code. */
  stop(): Promise<number | null>
  /** Ends it without a word. */
  kill(): Promise<void>
}

/** Starts `node people/dist/main.js` on a free port and resolves when it listens. */
export async function startProcess(
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ServiceProcess> {
  const { child, said, ended } = launch(
    args.includes('--port') ? args : ['--port', '0', ...args],
    options,
  )
  const origin = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const found = /^listening on (\S+)$/m.exec(said.err)?.[1]
      if (found !== undefined) resolve(found)
    })
    ended.then((code) => reject(new Error(`the service ended with ${code}: ${said.err}`)), reject)
  })
  return {
    origin,
    pid: child.pid as number,
    said,
    ended,
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Runs `node people/dist/main.js` until it ends by itself. */
export async function runToEnd(
  args: readonly string[],
  options: ProcessOptions & { readonly stdin?: string } = {},
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const { child, said, ended } = launch(args, options)
  child.stdin?.end(options.stdin ?? '')
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000)
  const code = await ended
  clearTimeout(late)
  return { code, ...said }
}

/** Starts `node people/dist/main.js` and does not wait until it listens. */
export function begin(args: readonly string[]): Pick<ServiceProcess, 'said' | 'ended' | 'signal'> {
  const { child, said, ended } = launch(['--port', '0', ...args], {})
  return { said, ended, signal: (name) => void child.kill(name) }
}

function launch(args: readonly string[], { cwd, env, script, stdout }: ProcessOptions) {
  const stdio: StdioOptions = ['pipe', stdout ?? 'pipe', 'pipe']
  const child: ChildProcess = spawn(process.execPath, [script ?? main, ...args], {
    cwd,
    env: { ...withoutSettings(process.env), ...env },
    stdio,
  })
  // A test that fails, or is cut, must not leave it behind.
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  const said = { err: '', out: '' }
  child.stdout?.on('data', (chunk) => (said.out += String(chunk)))
  child.stderr?.on('data', (chunk) => (said.err += String(chunk)))
  child.stdin?.on('error', () => {}) // it may end without reading
  // Behind `close` nothing more can come on the pipes.
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', end)
    return code as number | null
  })
  return { child, said, ended }
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = new Set(['NODE_ENV', ...Object.values(settingTable).map((setting) => setting.env)])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)))
}
