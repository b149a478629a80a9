import { existsSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { defer } from '../../base/defer.js'
import type { Sent } from '../send.js'
import { ask, askWith, start, type Running } from './binary.js'

/** The files of a server whose field `wait` says `waiting` and ends when the gate is opened. */
export const gateFiles: { readonly [name: string]: string } = {
  'gate.graphql': 'type Query { wait: Boolean! pid: Int! never: Int }',
  'gate.mjs': `
    import { existsSync } from 'node:fs'
    const waiting = new Set()
    setInterval(() => {
      if (waiting.size === 0 || !existsSync('open')) return
      for (const open of waiting) open(true)
      waiting.clear()
    }, 10)
    const say = (open) => { console.error('waiting') ; open() }
    export const resolvers = {
      Query: {
        pid: () => process.pid,
        wait: () => new Promise((open) => say(() => waiting.add(open))),
        never: () => new Promise(() => say(() => {})),
      },
    }`,
}

/** A server of the files, in a folder that has them. */
export interface Gated {
  readonly server: Running
  readonly url: string
  /** Resolves when so many more requests wait. */
  waiting(requests: number): Promise<void>
  open(): void
}

/** Starts the binary in a folder of the files. */
export async function startGated(cwd: string, ...words: string[]): Promise<Gated> {
  const gate = join(cwd, 'open')
  if (existsSync(gate)) throw new Error('The gate is open: take a folder of its own.')
  const files = ['gate.graphql', '--resolvers=gate.mjs']
  const fixed = ['--port=0', '--host=127.0.0.1', '--timeout=600000']
  const server = start(['serve', ...files, ...fixed, ...words], { cwd })
  return {
    server,
    url: await server.url(),
    async waiting(requests) {
      for (let seen = 0; seen < requests; seen++) await server.line(/^waiting$/)
    },
    open: () => writeFileSync(gate, ''),
  }
}

export const many = <Item>(count: number, make: () => Item): Item[] =>
  Array.from({ length: count }, make)

/** The process that answers. */
export async function pidOf(url: string): Promise<number> {
  return toPid(await ask(url, '{ pid }'))
}

function toPid({ body }: Sent): number {
  return (JSON.parse(body) as { data: { pid: number } }).data.pid
}

/** Resolves when nobody listens any more. */
export async function untilClosed(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const connects = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  while (await connects()) await pause(5)
}

/** Resolves when the process is no more. */
export async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await pause(5)
  }
}

/** A client that sends request after request without a pause. */
export interface BusyClient {
  readonly pids: ReadonlySet<number>
  /** Resolves with the first answer. */
  readonly started: Promise<void>
  /** Resolves when it has stopped; rejects when a request was lost. */
  readonly done: Promise<void>
  /** Sends no more. */
  stop(): void
}

/** What ends a client: being told, or an answer that closes the connection. */
export function startBusyClient(url: string, endsWith: 'stop' | 'close'): BusyClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const pids = new Set<number>()
  let isStopped = false
  const { promise: started, resolve: isStarted } = defer()
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const answer = await askWith(url, { query: '{ pid }' }, agent)
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`)
      pids.add(toPid(answer))
      isStarted()
      if (answer.closes && endsWith === 'close') break
    }
    agent.destroy()
  }
  return { pids, started, done: run(), stop: () => (isStopped = true) }
}
