import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toNodeListener } from '../../../../src/hosts/node/index.js'
import { listen } from '../../../hosts/start-node.js'
import { createStreamedEndpoint } from '../../../hosts/streams/streamed-endpoint.js'

// The process of a server whose memory is measured: a line on stdin asks, and a line on stdout tells.

const endpoint = createStreamedEndpoint({ maxStreams: Infinity, onStreamEnd: () => undefined })
const server = createServer(toNodeListener(endpoint.handler))
process.stdout.write(`${await listen(server)}\n`)

for await (const _ of createInterface(process.stdin)) {
  while (endpoint.open() > 0 || endpoint.stats().open > 0 || (await connections()) > 0) {
    await nextTurn()
  }
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.()
    await nextTurn()
  }
  const { heapUsed } = process.memoryUsage()
  const { returning, stuck } = endpoint.stats()
  const figures = { heapUsed, made: endpoint.made(), returning, stuck: stuck.length }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

function connections(): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
}
