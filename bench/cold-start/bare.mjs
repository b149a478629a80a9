import { createServer } from 'node:http'

// The floor: Node itself and its server, with a constant response.
const answer = JSON.stringify({ data: { hello: 'Hello, Ada!' } })
createServer((incoming, outgoing) => {
  incoming.resume()
  outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(answer)
}).listen(Number(process.argv[2]), '127.0.0.1')
