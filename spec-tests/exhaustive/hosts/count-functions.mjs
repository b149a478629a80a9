// Counts the functions and files of graphwire that one warm request runs, by V8's coverage; --list names them.
import { Agent, request as begin } from 'node:http'
import { Session } from 'node:inspector/promises'

const built = new URL('../../../dist/src/', import.meta.url).href

// Begun before the first request, or V8 has no counter for functions that are warm.
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** The functions by file that have run since the last call; what begins with the file is the module itself. */
async function take() {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = result.filter(({ url }) => url.startsWith(built))
  return files.flatMap(({ url, functions }) => {
    const ran = functions
      .map(({ functionName, ranges: [range] }) => ({
        name: functionName || '(anonymous)',
        ...range,
      }))
      .filter(({ count, startOffset }) => count > 0 && startOffset > 0)
    return ran.length === 0 ? [] : [{ file: url.slice(built.length), functions: ran }]
  })
}

const headers = { 'Content-Type': 'application/json' }
const workloads = {
  POST: ['/graphql', { method: 'POST', headers }, '{"query":"{ hello }"}'],
  GET: ['/graphql?query=%7B%20hello%20%7D', {}, undefined],
}

const { buildSchema } = await import('../../../dist/src/index.js')
const { serve } = await import('../../../dist/src/hosts/node/index.js')
const schema = buildSchema('type Query { hello: String }', { Query: { hello: () => 'world' } })
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const server = await serve({ schema, port: 0 })

for (const [name, [path, options, body]] of Object.entries(workloads)) {
  // Head and body in one piece, unlike fetch.
  const send = () =>
    new Promise((resolve, reject) => {
      const asked = begin(new URL(path, server.url), { ...options, agent }, (response) =>
        response.resume().on('end', resolve),
      )
      asked.on('error', reject).end(body)
    })
  // Once the server is warm.
  for (let round = 0; round < 20; round += 1) await send()
  await take()
  await send()
  const files = await take()
  const functions = files.flatMap((file) => file.functions)
  console.log(`${name}: ${functions.length} functions in ${files.length} files`)
  if (!process.argv.includes('--list')) continue
  for (const { file, functions: ran } of files) {
    const names = ran.map(({ name: one, count }) => (count > 1 ? `${one} x${count}` : one))
    console.log(`  ${file}: ${names.join(', ')}`)
  }
}
session.disconnect()
agent.destroy()
await server.close()
