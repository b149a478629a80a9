// Counts the functions and files of graphwire that one warm request runs, by V8's coverage.
import { Session } from 'node:inspector/promises'
import { request as begin } from 'node:http'
import { fileURLToPath } from 'node:url'

const built = new URL('../../../dist/src/', import.meta.url).href

/** Counts what runs from now on; to be begun before the first request, or V8 has no counter for functions that are warm. */
export async function beginCounting() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    /** The functions by file that have run since the last call. */
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      return result
        .filter(({ url }) => url.startsWith(built))
        .map(({ url, functions }) => ({
          file: url.slice(built.length),
          functions: ranOf(functions),
        }))
        .filter(({ functions }) => functions.length > 0)
    },
    end: () => session.disconnect(),
  }
}

/** What begins with the file is the module itself. */
function ranOf(functions) {
  return functions
    .filter(({ ranges: [range] }) => range.count > 0 && range.startOffset > 0)
    .map(({ functionName, ranges: [range] }) => ({
      name: functionName || '(anonymous)',
      count: range.count,
    }))
}

/** Sends a request over a connection that is kept. */
export function send(port, { method, path, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const asked = begin({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => (text += piece))
      response.on('end', () => resolve(text))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const { Agent } = await import('node:http')
export const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export const workloads = {
  POST: {
    method: 'POST',
    path: '/graphql',
    headers: { 'Content-Type': 'application/json' },
    body: '{"query":"{ hello }"}',
  },
  GET: { method: 'GET', path: '/graphql?query=%7B%20hello%20%7D' },
}

/** Counts for each workload, once the server is warm. */
export async function countWorkloads() {
  const counter = await beginCounting()
  const { buildSchema } = await import('../../../dist/src/index.js')
  const { serve } = await import('../../../dist/src/hosts/node/index.js')
  const schema = buildSchema('type Query { hello: String }', { Query: { hello: () => 'world' } })
  const server = await serve({ schema, port: 0 })
  const { port } = new URL(server.url)
  try {
    const counted = {}
    for (const [name, workload] of Object.entries(workloads)) {
      for (let round = 0; round < 20; round += 1) await send(port, workload)
      await counter.take()
      await send(port, workload)
      counted[name] = await counter.take()
    }
    return counted
  } finally {
    counter.end()
    agent.destroy()
    await server.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, files] of Object.entries(await countWorkloads())) {
    const functions = files.flatMap((file) => file.functions)
    console.log(`${name}: ${functions.length} functions in ${files.length} files`)
    if (!process.argv.includes('--list')) continue
    for (const { file, functions: ran } of files) {
      console.log(
        `  ${file}: ${ran.map(({ name: one, count }) => (count > 1 ? `${one} x${count}` : one)).join(', ')}`,
      )
    }
  }
}
