import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { serve } from '../../../../src/hosts/node/index.js'
import { createStandardSchema } from '../../../../src/standard/standard-schema.js'
import { say as sayAll, type Said } from '../../../cli/say.js'

/** Runs the command line, without its progress, which a slow machine gets to see. */
export async function say(...words: Parameters<typeof sayAll>): Promise<Said> {
  const { err, ...said } = await sayAll(...words)
  const progress = /^(?:probing the target|\d+\/\d+(?:, \d+ failed)? {2}\S+)\n/gm
  return { ...said, err: err.replaceAll(progress, '') }
}

/** Our own server with the standard schema, until the test ends. */
export async function serveGood(t: Test): Promise<string> {
  const served = await serve({ schema: createStandardSchema(), host: '127.0.0.1', port: 0 })
  t.teardown(() => served.close({ grace: 0 }))
  return served.url
}

/** A server that answers as it likes, until the test ends. */
export async function serveOdd(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 1 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
}

/** A port that was free a moment ago. */
export async function findPort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
