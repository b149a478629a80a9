import { createServer, type RequestListener } from 'node:http'
import type { Test } from 'tap'
import { close, listen as start } from '../hosts/start-node.js'

/** The URL of a server that answers as it likes, until the test ends. */
export async function listen(
  t: Test,
  listener: RequestListener,
  keepAliveTimeout = 5000,
): Promise<string> {
  const server = createServer({ keepAliveTimeout }, listener)
  const port = await start(server)
  t.teardown(() => close(server))
  return `http://127.0.0.1:${port}/graphql`
}
