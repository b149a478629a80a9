import { createServer } from 'node:http'
import type { Test } from 'tap'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { createHandler, type Options } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import { type Client, jsonOf, valueOf, type HostResponse } from '../hosts/exchange.js'
import { http1Client } from '../hosts/http1-client.js'
import { close, listen } from '../hosts/start-node.js'

/** A server of the standard schema on a port of the loopback, until the test ends. */
export interface RealServer {
  readonly send: Client
  readonly port: number
}

/** Starts a real server for a test. */
export async function startServer(t: Test, options: Partial<Options> = {}): Promise<RealServer> {
  const handler = createHandler({ schema: createStandardSchema(), ...options })
  const server = createServer(toNodeListener(handler))
  const port = await listen(server)
  t.teardown(() => close(server))
  return { port, send: http1Client(`http://127.0.0.1:${port}/graphql`) }
}

/** A query as the query component of a URL. */
export function inUrl(query: string): string {
  return `?query=${encodeURIComponent(query)}`
}

/** What a row expects of header fields; null where there must be none. */
export interface ExpectedFields {
  readonly [name: string]: string | null
}

/** Holds the fields of an answer against what is expected of them. */
export function checkFields(t: Test, answer: HostResponse, expected: ExpectedFields): void {
  for (const [name, value] of Object.entries(expected)) {
    t.equal(valueOf(answer, name) ?? null, value, name)
  }
}

/** `extensions` of the first error of an answer; undefined where there is none. */
export function extensionsOf(answer: HostResponse): Readonly<Record<string, unknown>> | undefined {
  const { errors } = jsonOf(answer) as { errors?: { extensions?: Record<string, unknown> }[] }
  return errors?.[0]?.extensions
}

/** How often the mutation `increment` has run. */
export async function countOf({ send }: RealServer): Promise<unknown> {
  const answer = await send({ body: JSON.stringify({ query: '{ counter }' }) })
  return (jsonOf(answer) as { data?: { counter?: unknown } }).data?.counter
}
