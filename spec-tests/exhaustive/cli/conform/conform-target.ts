import { createServer } from 'node:net'
import type { Test } from 'tap'
import { serve } from '../../../../src/hosts/node/index.js'
import { createStandardSchema } from '../../../../src/standard/standard-schema.js'
import { close, listen } from '../../../hosts/start-node.js'

/** Our own server with the standard schema, until the test ends. */
export async function serveGood(t: Test): Promise<string> {
  const served = await serve({ schema: createStandardSchema(), host: '127.0.0.1', port: 0 })
  t.teardown(() => served.close({ grace: 0 }))
  return served.url
}

/** A port that was free a moment ago. */
export async function findPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await close(server)
  return port
}
