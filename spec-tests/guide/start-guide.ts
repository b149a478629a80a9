import { createServer } from 'node:http'
import { Writable } from 'node:stream'
import express from 'express'
import { SignJWT } from 'jose'
import { pino } from 'pino'
import type { Test } from 'tap'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { createApp } from '../../examples/guide/app.js'
import { createMemoryStore, type Store } from '../../examples/guide/store.js'
import { listenFor } from '../hosts/start-node.js'

/** The secret that the guide's application checks tokens with. */
export const secret = 'a secret of at least 32 bytes, for tests'

/** A token as an identity provider would sign it. */
export function signToken(
  claims: Record<string, unknown> = {},
  { key = secret, expires = '1m' } = {},
): Promise<string> {
  return new SignJWT({ sub: '1', aud: 'tasks', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(key))
}

/** Starts the guide's application on Express, with a log in memory. */
export async function startGuide(t: Test, changes: Partial<Store> = {}) {
  const lines: { readonly msg: string; readonly [name: string]: unknown }[] = []
  const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
    lines.push(JSON.parse(String(chunk)) as (typeof lines)[number])
    done()
  }
  const store = { ...createMemoryStore(), ...changes }
  const jwtKey = new TextEncoder().encode(secret)
  const handler = createApp({ store, log: pino(new Writable({ write })), jwtKey })
  const app = express()
  app.all('/graphql', toNodeListener(handler))
  const port = await listenFor(t, createServer(app))
  const token = await signToken()
  const send = (
    query: string,
    headers: Record<string, string> = {},
    variables?: object,
  ): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
  return { send, lines }
}
