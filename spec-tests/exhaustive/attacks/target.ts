import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { start, type Ended } from '../cli/binary.js'
import type { HostResponse } from '../../hosts/exchange.js'
import { rawClient, type RawClient } from '../hosts/raw-client.js'
import { send } from '../send.js'

const served = fileURLToPath(
  new URL('../../../../spec-tests/exhaustive/attacks/served.mjs', import.meta.url),
)
const graphql16 = new URL('../../../../spec-tests/matrix/graphql-16.mjs', import.meta.url).href

interface Load {
  readonly pid: number
  readonly sockets: number
  readonly waiting: number
}

export interface Figures extends Load {
  /** Resident bytes, without those that V8 keeps free for later. */
  readonly memory: number
  readonly heap: number
}

export interface Target {
  readonly port: number
  /** The body of the answer to a query, over a connection of its own. */
  ask(query: string): Promise<string>
  /** The figures of the process, or of each of its workers, after a collection of garbage. */
  figures(): Promise<readonly Figures[]>
  /** The same of what is read without collecting garbage, which takes a tenth of a second. */
  load(): Promise<readonly Load[]>
  connect(): Promise<RawClient>
  /** So many connections, opened a few hundred at a time so that none waits behind a full backlog. */
  connectMany(count: number): Promise<readonly RawClient[]>
  /** Ends all connections. */
  leave(): void
  stop(): Promise<Ended>
}

export interface TargetSettings {
  readonly words?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  readonly graphql?: '16' | '17'
  readonly workers?: number
  /** Whether bugs are printed, to a pipe that is read slowly. */
  readonly printsBugs?: boolean
}

/** Lets the allocator of Linux return what is freed, or room that it keeps would look like a leak. */
const givesBack = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

export async function startTarget(settings: TargetSettings = {}): Promise<Target> {
  const { words = [], env = {}, graphql, workers = 1, printsBugs = false } = settings
  const options = [process.env['NODE_OPTIONS'], graphql === '16' ? `--import=${graphql16}` : '']
  const server = start(
    ['serve', served, '--port=0', '--host=127.0.0.1', `--workers=${workers}`, ...words],
    {
      env: {
        ...env,
        ...givesBack,
        ...(printsBugs && { ATTACKED_BUGS: 'printed' }),
        NODE_OPTIONS: options.filter(Boolean).join(' '),
      },
    },
  )
  const port = Number(new URL(await server.url()).port)
  const clients: RawClient[] = []
  const connect = async (): Promise<RawClient> => {
    const client = await rawClient(port)
    clients.push(client)
    return client
  }
  const readAll = printsBugs ? readSlowly(server.child.stderr) : () => {}
  return {
    port,
    ask: (query) => ask(port, query),
    figures: () => askWorkers('figures', port, workers),
    load: () => askWorkers('load', port, workers),
    connect,
    async connectMany(count) {
      const opened: RawClient[] = []
      while (opened.length < count) {
        const more = Math.min(250, count - opened.length)
        opened.push(...(await Promise.all(Array.from({ length: more }, connect))))
      }
      return opened
    },
    leave() {
      for (const { socket } of clients.splice(0)) socket.destroy()
    },
    stop: () => {
      readAll()
      return server.stop()
    },
  }
}

/** Reads a chunk of 64 KiB at most every 100 ms, until the returned function is called. */
function readSlowly(stream: Readable | null): () => void {
  const pauseAgain = (): void => void stream?.pause()
  stream?.pause().on('data', pauseAgain)
  const timer = setInterval(() => stream?.resume(), 100)
  return () => {
    clearInterval(timer)
    stream?.off('data', pauseAgain).resume()
  }
}

interface Answers {
  readonly figures: Figures
  readonly load: Load
}

const queries = {
  figures: '{ figures { pid memory heap sockets waiting } }',
  load: '{ load { pid sockets waiting } }',
}

/** New connections reach the workers in turn, but nothing promises it: asks until each has answered. */
async function askWorkers<Name extends keyof Answers>(
  name: Name,
  port: number,
  workers: number,
): Promise<readonly Answers[Name][]> {
  const found = new Map<number, Answers[Name]>()
  while (found.size < workers) {
    const { data } = JSON.parse(await ask(port, queries[name])) as { readonly data: Answers }
    found.set(data[name].pid, data[name])
  }
  return [...found.values()]
}

async function ask(port: number, query: string): Promise<string> {
  return (await send({ port }, JSON.stringify({ query }))).body
}

/** The connections of the prober: the one that it keeps, and that of a new client. */
const proberSockets = 2

/** Resolves when nobody is left but the prober and who asks for the figures, and rejects when that never comes. */
export async function untilAtRest({ load }: Target): Promise<void> {
  const end = performance.now() + 60_000
  for (;;) {
    const all = await load()
    const isQuiet = sumOf(all, 'sockets') <= proberSockets + all.length
    if (isQuiet && sumOf(all, 'waiting') === 0) return
    if (performance.now() > end) throw new Error(`not at rest: ${JSON.stringify(all)}`)
    await pause(20)
  }
}

export function sumOf(all: readonly Load[], name: 'sockets' | 'waiting'): number {
  return all.reduce((sum, load) => sum + load[name], 0)
}

/** Writes the same on each connection, and gives the next answers. */
export function askAll(
  clients: readonly RawClient[],
  bytes: string | Uint8Array,
): Promise<readonly (HostResponse | undefined)[]> {
  for (const client of clients) client.write(bytes)
  return Promise.all(clients.map((client) => client.next()))
}
