// Serves what `next build` has made in the folder of its first argument.
import { createServer } from 'node:http'
import next from 'next'

console.log = console.error // the first line is the URL
const app = next({ dir: process.argv[2] })
await app.prepare()
const server = createServer(app.getRequestHandler())
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/graphql\n`)
})
