// The floor: Node's HTTP, with a constant response; the body is not read.
import { createServer } from 'node:http'
import { port, ready } from './place.mjs'

const answer = process.env.ANSWER ?? '{"data":{"hello":"Hello, world!"}}'
const headers = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Content-Length',
  String(Buffer.byteLength(answer)),
]
createServer((incoming, outgoing) => {
  incoming.resume()
  outgoing.writeHead(200, headers)
  outgoing.end(answer)
}).listen(port, '127.0.0.1', () => ready())
