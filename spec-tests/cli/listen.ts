import { createServer, type RequestListener } from 'node:http'
import type { Test } from 'tap'
import { listenFor } from '../hosts/start-node.js'

/** The URL of a server that answers as it likes, until the test ends. */
export async function listen(t: Test, listener: RequestListener, keepAliveTimeout = 5000) {
  const server = createServer({ keepAliveTimeout }, listener)
  return `http://127.0.0.1:${await listenFor(t, server)}/graphql`
}
