import { once } from 'node:events'
import { connect } from 'node:net'
import { median } from '../median.mjs'
import { startContender } from './start-contender.mjs'

const plain = '{ hello }'
const deferred = '{ hello ... @defer { later: hello } }'

/** The time until the first bytes of a response, without and with @defer, in milliseconds. */
export async function measureFirstParts(contenders, folders, requests) {
  const measured = []
  for (const contender of contenders) {
    console.error(`the first part of ${contender.name}`)
    const server = await startContender(contender, folders)
    try {
      measured.push({ name: contender.name, ...(await compare(server.port, requests)) })
    } finally {
      await server.end()
    }
  }
  return measured
}

async function compare(port, requests) {
  const times = { plain: [], deferred: [] }
  for (let at = -requests / 4; at < requests; at += 1) {
    for (const [name, query] of at % 2 === 0 ? both : both.toReversed()) {
      const time = await firstBytes(port, query)
      if (at >= 0) times[name].push(time)
    }
  }
  return { plain: median(times.plain), deferred: median(times.deferred) }
}

const both = [
  ['plain', plain],
  ['deferred', deferred],
]

/** Each request has a connection of its own, which is open before the time begins. */
async function firstBytes(port, query) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const body = JSON.stringify({ query })
  const startedAt = performance.now()
  socket.write(
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: multipart/mixed, application/json;q=0.9\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  const [first] = await once(socket, 'data')
  const time = performance.now() - startedAt
  if (!first.toString('latin1').includes(' 200 ')) throw new Error(first.toString('latin1'))
  socket.resume()
  await once(socket, 'close')
  return time
}
