import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'

const [url = 'ws://localhost:4000/graphql'] = process.argv.slice(2)
// Browsers, and Node from version 22 on, have a WebSocket of their own.
const client = createClient({ url, webSocketImpl: WebSocket, shouldRetry: () => true })

for await (const result of client.iterate({ query: '{ hello }' })) console.log(result.data.hello)

const query = 'subscription { countdown(from: 3) }'
for await (const result of client.iterate({ query })) console.log(result.data.countdown)
await client.dispose()
