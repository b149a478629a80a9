import { spawn, type ChildProcess } from 'node:child_process'
import type { Agent } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { processEnvironment } from '../process-environment.js'
import { send, type Sent } from '../send.js'

const main = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url))

// A test that fails leaves its process behind, which would keep the file from ending.
const children = new Set<ChildProcess>()
t.teardown(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Where and with what the binary runs. */
export interface Surroundings {
  readonly cwd?: string
  readonly env?: { readonly [name: string]: string }
  /** A script of a process that starts the command of its arguments. */
  readonly parent?: string
}

/** What a process left behind. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process of the binary that runs. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** The next line of stderr that matches; lines before it are passed over. */
  line(pattern: RegExp): Promise<string>
  /** Where it listens, once it says so. */
  url(): Promise<string>
  stop(): Promise<Ended>
}

/** How tests start a server that works the same by itself and with workers. */
export const ways: readonly (readonly [how: string, workers: readonly string[]])[] = [
  ['serve', []],
  ['serve --workers=2', ['--workers=2']],
]

const isForServers = /^(?:GRAPHWIRE_.*|PORT|HOST|NODE_ENV)$/

/** Starts the binary without the variables of whoever runs the tests. */
export function start(words: readonly string[], surroundings: Surroundings = {}): Running {
  const { cwd, env = {}, parent } = surroundings
  const kept = Object.entries(processEnvironment()).filter(([name]) => !isForServers.test(name))
  const before = parent === undefined ? [] : ['-e', parent, '--']
  const child = spawn(process.execPath, [...before, main, ...words], {
    cwd,
    env: { ...Object.fromEntries(kept), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  const lines: string[] = []
  let next = 0
  let look: (() => void) | undefined
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    look?.()
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      children.delete(child)
      resolve({ code, stdout, stderr: lines.join('\n') })
    })
  })
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((found, missed) => {
      look = () => {
        while (next < lines.length) {
          const candidate = lines[next++] ?? ''
          if (pattern.test(candidate)) {
            look = undefined
            return found(candidate)
          }
        }
      }
      look()
      void ended.then(({ code, stderr }) =>
        missed(new Error(`ended with ${code} and without ${pattern}:\n${stderr}`)),
      )
    })
  return {
    child,
    ended,
    line,
    url: async () => (await line(/^listening on /)).replace('listening on ', ''),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Runs the binary to its end. */
export function run(words: readonly string[], surroundings?: Surroundings): Promise<Ended> {
  return start(words, surroundings).ended
}

/** The lines of the metrics of a server. */
export async function metricsOf(url: string): Promise<readonly string[]> {
  return (await (await fetch(new URL('/metrics', url))).text()).split('\n')
}

/** Checks that the metrics of a server have some lines. */
export async function checkMetrics(t: Test, url: string, expected: readonly string[]) {
  const metrics = await metricsOf(url)
  for (const line of expected) t.ok(metrics.includes(line), line)
}

/** What a server has logged with a message. */
export function logOf(stderr: string, msg: 'request' | 'operation' | 'stream'): readonly object[] {
  const lines = stderr.split('\n').filter((line) => line.includes(`"msg":"${msg}"`))
  return lines.map((line) => JSON.parse(line) as object)
}

/** Sends a query over a connection of its own. */
export function ask(url: string, query: string): Promise<Sent> {
  return askWith(url, { query })
}

/** Sends parameters, over a connection of its own if no agent has one. */
export function askWith(url: string, params: object, agent: Agent | false = false): Promise<Sent> {
  const { hostname: host, port, pathname: path } = new URL(url)
  return send({ host, port: Number(port), path, agent, timeout: 30_000 }, JSON.stringify(params))
}
