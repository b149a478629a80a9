import { join } from 'node:path'
import type { Test } from 'tap'
import { startProcess, type ProcessOptions } from '../service-process.js'

/** Lines of a head by name. */
export type Headers = { readonly [name: string]: string }

export type Started = Awaited<ReturnType<typeof start>>

/** Starts the service for the time of a test, on a fresh file where nothing else is said. */
export async function start(t: Test, args: readonly string[] = [], options: ProcessOptions = {}) {
  const isPlaced = args.includes('--db') || options.env?.['DATABASE_URL'] !== undefined
  const place = isPlaced ? [] : ['--db', join(t.testdir(), 'people.db')]
  const service = await startProcess([...place, ...args], options)
  t.teardown(() => service.kill())
  const demoKey = /^demo key: (gw_\S+)$/m.exec(service.said.err)?.[1] ?? ''
  const ask = (path: string, init?: RequestInit) => fetch(service.origin + path, init)
  const common = { 'Content-Type': 'application/json', ...(demoKey && { 'X-API-Key': demoKey }) }
  /** Sends a body of JSON with the demo key, or without one in production. */
  const send = (method: string, path: string, body?: unknown, headers?: Headers) =>
    ask(path, { method, headers: { ...common, ...headers }, body: JSON.stringify(body) })
  return { ...service, ask, send, demoKey }
}

/** A key for tokens, as an operator makes it. */
export const jwtKey: string = Buffer.alloc(32, 'operation').toString('base64url')

/** What production needs to be set. */
export const production = { NODE_ENV: 'production', JWT_KEY: jwtKey } as const

/** Starts two instances on one database, at which every client may write. */
export async function startTwo(t: Test, database: string, more: Headers = {}) {
  const env = { ...production, AUTH: 'off', RATE_LIMIT: 'off', DATABASE_URL: database, ...more }
  return [await start(t, [], { env }), await start(t, [], { env })] as const
}

/** One line of the log in production. */
export type Line = { readonly [name: string]: unknown }

/** The lines of a log of JSON that are whole. */
export function linesOf(text: string): readonly Line[] {
  return Array.from(text.matchAll(/^.+(?=\n)/gm), ([line]) => JSON.parse(line) as Line)
}

/** Waits until something holds; a test that waits in vain ends by its own time limit. */
export async function until<Value>(
  look: () => Value | Promise<Value>,
): Promise<Exclude<Value, false | undefined>> {
  for (;;) {
    const found = await look()
    if (found !== false && found !== undefined) return found as Exclude<Value, false | undefined>
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
