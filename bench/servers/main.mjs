// Starts a server of list.mjs on PORT (4000), on 127.0.0.1 only: `node bench/servers/main.mjs graphql-yoga people`.
import { once } from 'node:events'
import { servers } from './list.mjs'

const [name, serviceName, options = '{}'] = process.argv.slice(2)
const place = { port: Number(process.env.PORT ?? 4000), host: '127.0.0.1' }

if (process.send) answerQuestions()
// A server with constant responses has no service, and must not pay for loading one.
const service = serviceName && (await import(`./${serviceName}.mjs`))
const server = await servers[name](service, place, JSON.parse(options))
if (server !== undefined) await once(server.listen(place), 'listening')
if (process.send) process.send({ ready: true, graphql: service?.version })
else console.log(`ready at http://127.0.0.1:${place.port}/graphql`)

/** Reports the CPU and memory of this process to the measuring one. */
function answerQuestions() {
  process.on('message', (question) => {
    if (question === 'usage') {
      const { user, system } = process.cpuUsage()
      process.send({ microseconds: user + system })
    } else if (question === 'memory') {
      const loaded = process.memoryUsage.rss()
      collectGarbage()
      process.send({ loaded, rest: process.memoryUsage.rss() })
    } else if (question === 'heap') {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      process.send({ heap: heapUsed, held: heapUsed + external })
    }
  })
  // The measuring process has ended.
  process.on('disconnect', () => process.exit())
}

/** Twice, since only the second finds what finalizers have released. */
function collectGarbage() {
  globalThis.gc()
  globalThis.gc()
}
