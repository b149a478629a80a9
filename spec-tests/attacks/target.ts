import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { start, type Ended } from '../cli/binary.js'

const served = fileURLToPath(new URL('../../../spec-tests/attacks/served.mjs', import.meta.url))
const graphql16 = new URL('../../../spec-tests/matrix/graphql-16.mjs', import.meta.url).href

/** What the server says of itself. */
export interface Figures {
  readonly pid: number
  /** Resident bytes, without those that V8 keeps free for later. */
  readonly memory: number
  readonly heap: number
  readonly sockets: number
  readonly timers: number
  readonly waiting: number
}

/** The process under attack. */
export interface Target {
  readonly port: number
  /** The body of the answer to a query, over a connection of its own. */
  ask(query: string): Promise<string>
  /** The figures of the process, or of each of its workers, after a collection of garbage. */
  figures(): Promise<readonly Figures[]>
  stop(): Promise<Ended>
}

/** How it is started. */
export interface TargetSettings {
  readonly words?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  readonly graphql?: '16' | '17'
  readonly workers?: number
}

/** Lets the allocator of Linux return what is freed, or room that it keeps would look like a leak. */
const givesBack = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** Starts the real binary as a process. */
export async function startTarget(settings: TargetSettings = {}): Promise<Target> {
  const { words = [], env = {}, graphql, workers = 1 } = settings
  const options = [process.env['NODE_OPTIONS'], graphql === '16' ? `--import=${graphql16}` : '']
  const server = start(
    ['serve', served, '--port=0', '--host=127.0.0.1', `--workers=${workers}`, ...words],
    { env: { ...env, ...givesBack, NODE_OPTIONS: options.filter(Boolean).join(' ') } },
  )
  const port = Number(new URL(await server.url()).port)
  return {
    port,
    ask: (query) => ask(port, query),
    figures: () => figuresOf(port, workers),
    stop: () => server.stop(),
  }
}

/** New connections reach the workers in turn, but nothing promises it: asks until each has answered. */
async function figuresOf(port: number, workers: number): Promise<readonly Figures[]> {
  const found = new Map<number, Figures>()
  while (found.size < workers) {
    const body = await ask(port, '{ figures { pid memory heap sockets timers waiting } }')
    const { figures } = (JSON.parse(body) as { readonly data: { readonly figures: Figures } }).data
    found.set(figures.pid, figures)
  }
  return [...found.values()]
}

function ask(port: number, query: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        path: '/graphql',
        method: 'POST',
        agent: false,
        headers: { 'Content-Type': 'application/json' },
      },
      (incoming) => {
        let body = ''
        incoming.setEncoding('utf8').on('data', (text: string) => (body += text))
        incoming.on('end', () => resolve(body))
        incoming.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify({ query }))
  })
}

/** The connections of the prober: the one that it keeps, and that of a new client. */
const proberSockets = 2

/** Resolves when nobody is left but the prober and who asks for the figures, and rejects when that never comes. */
export async function untilAtRest(target: Target): Promise<void> {
  const end = performance.now() + 60_000
  for (;;) {
    const all = await target.figures()
    const sockets = all.reduce((sum, figures) => sum + figures.sockets, 0)
    const waiting = all.reduce((sum, figures) => sum + figures.waiting, 0)
    if (sockets <= proberSockets + all.length && waiting === 0) return
    if (performance.now() > end) throw new Error(`not at rest: ${JSON.stringify(all)}`)
    await pause(100)
  }
}
