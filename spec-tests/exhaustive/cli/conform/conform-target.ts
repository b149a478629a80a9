import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import type { Test } from 'tap'
import { runCli } from '../../../../src/cli/run-cli.js'
import { serve } from '../../../../src/hosts/node/index.js'
import { createStandardSchema } from '../../../../src/standard/standard-schema.js'

/** What a run of the command line came to, without its progress, which a slow machine gets to see. */
export interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command line in this process. */
export async function say(
  words: readonly string[],
  env: { readonly [name: string]: string } = {},
): Promise<Said> {
  let out = ''
  let err = ''
  const code = await runCli(words, {
    env,
    out: (text) => (out += text),
    err: (text) => (err += text),
  })
  return {
    code,
    out,
    err: err.replaceAll(/^(?:probing the target|\d+\/\d+(?:, \d+ failed)? {2}\S+)\n/gm, ''),
  }
}

/** Our own server with the standard schema, until the test ends. */
export async function serveGood(t: Test): Promise<string> {
  const served = await serve({ schema: createStandardSchema(), host: '127.0.0.1', port: 0 })
  t.teardown(() => served.close({ grace: 0 }))
  return served.url
}

/** A server that answers as it likes, until the test ends. */
export function serveOdd(t: Test, listener: RequestListener): Promise<string> {
  return listen(t, createServer({ keepAliveTimeout: 1 }, listener))
}

/** A server that takes every connection and never answers, until the test ends. */
export function serveSilence(t: Test): Promise<string> {
  return listen(
    t,
    createTcpServer((socket) => {
      t.teardown(() => socket.destroy())
      socket.on('error', () => {}).resume()
    }),
  )
}

/** A port that was free a moment ago. */
export async function findPort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listen(t: Test, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
}
