// The reference: Node's HTTP, the body read and parsed, and a constant response.
import { createServer } from 'node:http'
import { port, ready } from './place.mjs'
import { readBody } from './read-body.mjs'

const answer = process.env.ANSWER ?? '{"data":{"hello":"Hello, world!"}}'
const headers = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Content-Length',
  String(Buffer.byteLength(answer)),
]
createServer((incoming, outgoing) => {
  readBody(incoming, (text) => {
    const isRequest = incoming.method === 'GET' || typeof JSON.parse(text).query === 'string'
    outgoing.writeHead(isRequest ? 200 : 400, headers)
    outgoing.end(answer)
  })
}).listen(port, '127.0.0.1', () => ready())
