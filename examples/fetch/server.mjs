import { toFetch } from 'graphwire/fetch'
import { handler } from '../api.mjs'

const fetch = toFetch(handler)

const hostname = process.env.HOST || 'localhost'
const port = Number(process.env.PORT ?? 4000)
const announce = (server) => console.log(`http://${hostname}:${server.port}/graphql`)
if (globalThis.Deno) Deno.serve({ hostname, port, onListen: announce }, fetch)
else if (globalThis.Bun) announce(Bun.serve({ hostname, port, fetch, idleTimeout: 30 }))
else (await import('@hono/node-server')).serve({ hostname, port, fetch }, announce)
