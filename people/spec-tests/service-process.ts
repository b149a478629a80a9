import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

/** The service as a process of its own. */
export interface ServiceProcess {
  readonly origin: string
  readonly pid: number
  /** What it has written to stderr and stdout so far. */
  readonly said: { readonly err: string; readonly out: string }
  /** Sends SIGTERM and gives the exit code. */
  stop(): Promise<number | null>
  /** Ends it without a word. */
  kill(): Promise<void>
}

/** Starts `node people/dist/main.js` on a free port and resolves when it listens. */
export async function startProcess(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: { readonly [name: string]: string } } = {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [main, '--port', '0', ...args], {
    cwd: options.cwd,
    env: { ...process.env, NODE_ENV: '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { err: '', out: '' }
  const exited = once(child, 'exit')
  child.stdout.on('data', (chunk) => (said.out += String(chunk)))
  const origin = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said.err += String(chunk)
      const found = /^listening on (\S+)$/m.exec(said.err)?.[1]
      if (found !== undefined) resolve(found)
    })
    exited.then(
      ([code]) => reject(new Error(`the service ended with ${code}: ${said.err}`)),
      reject,
    )
  })
  const ended = async (): Promise<number | null> => {
    const [code] = (await exited) as [number | null]
    return code
  }
  return {
    origin,
    pid: child.pid as number,
    said,
    async stop() {
      child.kill('SIGTERM')
      return ended()
    },
    async kill() {
      child.kill('SIGKILL')
      await ended()
    },
  }
}
