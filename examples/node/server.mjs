import { listen, toNodeListener, untilSignal } from 'graphwire/node'
import { handler } from '../api.mjs'

// Limits connections, answers probes, and closes without losing a request.
const { HOST, PORT = 4000 } = process.env
const address = { host: HOST || 'localhost', port: Number(PORT) }
const { origin, close } = await listen(toNodeListener(handler), address)
console.log(`${origin}/graphql`)

await untilSignal()
await close()
process.exit()
