import { listen, toNodeListener, untilSignal } from 'graphwire/node'
import { handler } from '../api.mjs'

// Limits connections, answers probes, and closes without losing a request.
const { HOST: host, PORT: port = 4000 } = process.env
const { origin, close } = await listen(toNodeListener(handler), { host, port: Number(port) })
console.log(`${origin}/graphql`)

await untilSignal()
await close()
process.exit()
