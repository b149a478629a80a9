import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { NestFactory } from '@nestjs/core'
import { createClient } from 'graphql-ws'
import t from 'tap'
import { WebSocket } from 'ws'
import { listen } from '../../../spec-tests/hosts/start-node.js'
import { BooksModule } from './books.js'

const folder = new URL('../../../../packages/nest/', import.meta.url)

void t.test('the README has the example word for word', async (t) => {
  const page = readFileSync(new URL('README.md', folder), 'utf8')
  const file = readFileSync(new URL('spec-tests/books.ts', folder), 'utf8')
  t.ok(page.includes(`\`\`\`ts\n// books.ts\n${file}\`\`\``))
})

void t.test('its guard reads the principal, over HTTP and WebSockets', async (t) => {
  const app = await NestFactory.create(BooksModule, { bodyParser: false, logger: false })
  await app.init()
  t.teardown(() => app.close())
  const origin = `127.0.0.1:${await listen(app.getHttpServer() as Server)}/graphql`
  const ask = async (query: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(`http://${origin}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    })
    return response.json()
  }
  const add = 'mutation { addBook(title: "Emma") { title } }'
  t.strictSame(await ask('{ book(title: "Emma") { title } }'), {
    data: { book: { title: 'Emma' } },
  })
  t.match(await ask(add), { errors: [{ extensions: { code: 'FORBIDDEN' } }], data: null })

  const connect = (connectionParams: Record<string, unknown>) =>
    createClient({ url: `ws://${origin}`, webSocketImpl: WebSocket, connectionParams })
  const [guest, user] = [connect({}), connect({ Authorization: 'Bearer a-token' })]
  t.teardown(() => Promise.all([guest.dispose(), user.dispose()]))
  const refused: unknown = await guest.iterate({ query: add }).next()
  t.match(refused, { value: { errors: [{ extensions: { code: 'FORBIDDEN' } }] } })
  const added = await user.iterate({ query: add }).next()
  t.strictSame(added.value, { data: { addBook: { title: 'Emma' } } })

  const event = guest.iterate({ query: 'subscription { bookAdded { title } }' }).next()
  // The socket is open; its operation starts after the message.
  const timer = setInterval(() => void ask(add, { Authorization: 'Bearer a-token' }), 20)
  t.strictSame((await event).value, { data: { bookAdded: { title: 'Emma' } } })
  clearInterval(timer)
})
