// What a server costs that knows nothing of GraphQL: the floor for both transports.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { port, ready } from './place.mjs'
import { listeners } from './ticks.mjs'

const server = createServer((incoming, outgoing) => {
  incoming.resume()
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' })
  outgoing.write(':\n\n')
  const listener = (result) => void outgoing.write(`event: next\ndata: ${result}\n\n`)
  listeners.add(listener)
  outgoing.on('close', () => listeners.delete(listener))
})
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket) => {
  socket.on('message', (data) => {
    const { type, id } = JSON.parse(data)
    if (type === 'connection_init') return socket.send('{"type":"connection_ack"}')
    if (type !== 'subscribe') return
    const listener = (result) => socket.send(`{"id":"${id}","type":"next","payload":${result}}`)
    listeners.add(listener)
    socket.on('close', () => listeners.delete(listener))
  })
})
server.listen(port, '127.0.0.1', () => ready())
