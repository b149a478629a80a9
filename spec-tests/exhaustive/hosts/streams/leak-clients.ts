import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

// The process of the clients that come and go, on the port of its first argument: a line on stdin asks for so many
// rounds of 200 clients, and a line on stdout tells that they have gone.

const port = Number(process.argv[2])
const perRound = 200

const get = (query: string): string =>
  `GET /graphql?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: a\r\n\r\n`
const idle = get('subscription { flood(bytes: 1) }')
const large = get('subscription { flood(bytes: 300000) }')

const ways: readonly ((socket: Socket) => unknown)[] = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end(),
]

async function comeAndGo(at: number): Promise<void> {
  const request = at % 5 === 4 ? large : idle
  const leave = ways[at % ways.length] as (typeof ways)[0]
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(request)
  await once(socket, 'data')
  const closed = once(socket, 'close')
  leave(socket)
  socket.resume()
  await closed
}

for await (const line of createInterface(process.stdin)) {
  for (let round = 0; round < Number(line); round += 1) {
    await Promise.all(Array.from({ length: perRound }, (_, at) => comeAndGo(at)))
  }
  process.stdout.write('gone\n')
}
