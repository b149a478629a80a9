import { listen, toNodeListener, untilSignal } from 'graphwire/node'
import { handler } from '../api.mjs'

// Limits connections, answers probes, and closes without losing a request.
const port = Number(process.env.PORT ?? 4000)
const { origin, close } = await listen(toNodeListener(handler), { port })
console.log(`${origin}/graphql`)

await untilSignal()
await close()
process.exit()
