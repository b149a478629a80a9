import t, { type Test } from 'tap'
import { toNodeListener, type ListenOptions } from '../../../src/hosts/node/index.js'
import { buildSchema, createHandler } from '../../../src/index.js'
import { uploads, uploadScalar, type Upload } from '@graphwire/uploads'
import { chunkOf } from '../hosts/raw-client.js'
import { secured, type Secured } from '../hosts/secured.js'
import { certificate } from '../../hosts/start-node.js'
import { defer } from '../../base/defer.js'
import {
  end,
  parameters,
  partOf,
  uploadHeaders,
  uploadLines,
} from '../../../packages/uploads/spec-tests/multipart.js'

const query = 'mutation ($file: Upload) { read(file: $file) }'
const before = parameters({ query, variables: { file: null } }, { file: ['variables.file'] })
  .map(partOf)
  .join('')
const half = before + partOf({ name: 'file', filename: 'a', content: 'x'.repeat(999) }).slice(0, -2)
const rest = `\r\n${end}`

/** An upload on a connection of its own, which ends where the test ends it. */
interface Client {
  write(bytes: string): void
  end(): void
  /** The status; 0 if the server has cut it off. */
  readonly status: Promise<number>
}

type Connect = (server: Secured) => Promise<Client>

const overHttp1: Connect = async ({ connect }) => {
  const client = await connect()
  client.write(`${uploadLines}Transfer-Encoding: chunked\r\n\r\n`)
  return {
    write: (bytes) => client.write(chunkOf(bytes)),
    end: () => client.write('0\r\n\r\n'),
    status: client.next().then((response) => response?.status ?? 0),
  }
}

const overHttp2: Connect = async ({ session }) => {
  const stream = session().request({ ':method': 'POST', ':path': '/', ...uploadHeaders })
  const status = new Promise<number>((resolve) => {
    stream.on('response', (fields) => resolve(Number(fields[':status'])))
    stream.on('error', () => {}).on('close', () => resolve(0))
  })
  stream.resume()
  return { write: (bytes) => void stream.write(bytes), end: () => void stream.end(), status }
}

const protocols = [
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
] as const

/** A server that takes one upload at a time. Its resolver opens the file, and reads it once that is allowed. */
async function start(t: Test, options: ListenOptions = {}) {
  const opened = defer()
  const allowed = defer()
  const failed = defer<unknown>()
  const read = async (_: unknown, { file }: { file: Upload }): Promise<string> => {
    const { stream } = await file.open()
    opened.resolve()
    await allowed.promise
    return new Response(stream).text().catch((error: unknown) => {
      failed.resolve(error)
      return 'failed'
    })
  }
  const sdl = 'scalar Upload  type Query { x: Int }  type Mutation { read(file: Upload): String }'
  const schema = buildSchema(sdl, { Upload: uploadScalar, Mutation: { read } })
  const bugs: unknown[] = []
  const onBug = (bug: unknown): void => void bugs.push(bug)
  const handler = createHandler({ schema, onBug, uploads: uploads({ maxConcurrent: 1 }) })
  const server = await secured(t, options, toNodeListener(handler, { onBug }))
  return { server, bugs, opened: opened.promise, allowed, failed: failed.promise }
}

const tls = { ...certificate, handshakeTimeout: 30_000 }
const limits = { tls, requestTimeout: 1000, headersTimeout: 1000, connectionsCheckingInterval: 20 }

// oxfmt-ignore
const stops: readonly [where: string, bytes: string, drip: string, does: 'reads' | 'waits'][] = [
  ['stops before the operations',                  '',                    '',              'reads'],
  ['stops within the operations',                  before.slice(0, 100),  '',              'reads'],
  ['stops within a file',                          half,                  '',              'reads'],
  ['stops within a file that is opened, not read', half,                  '',              'waits'],
  ['sends a file slowly',                          half,                  'x'.repeat(100), 'reads'],
  ['stops before the last boundary',               `${half}\r\n`,         '',              'reads'],
]
for (const [protocol, connect] of protocols) {
  for (const [where, bytes, drip, does] of stops) {
    void t.test(`${protocol}: a client that ${where} gets 408, and makes room`, async (t) => {
      const { server, bugs, allowed, failed } = await start(t, limits)
      if (does === 'reads') allowed.resolve()
      const client = await connect(server)
      if (bytes !== '') client.write(bytes)
      const dripping = drip === '' ? undefined : setInterval(() => client.write(drip), 20)
      t.equal(await client.status, 408)
      clearInterval(dripping)
      const other = await connect(server)
      other.write(half + rest)
      other.end()
      allowed.resolve()
      t.equal(await other.status, 200)
      if (bytes.startsWith(half)) t.ok((await failed) instanceof Error)
      t.same(bugs, [])
    })
  }

  void t.test(`${protocol}: an upload is finished while the server closes`, async (t) => {
    const { server, opened, allowed } = await start(t)
    const client = await connect(server)
    client.write(half)
    await opened
    const closing = server.close({ grace: 0, deadline: 600_000 })
    allowed.resolve()
    client.write('y'.repeat(100_000))
    client.write(rest)
    client.end()
    t.equal(await client.status, 200)
    t.match(await closing, { finished: 1, cut: 0 })
  })

  void t.test(`${protocol}: an upload is cut at the deadline of a closing server`, async (t) => {
    const { server, opened, allowed, failed } = await start(t)
    const client = await connect(server)
    client.write(half)
    await opened
    allowed.resolve()
    t.match(await server.close({ grace: 0, deadline: 100 }), { finished: 0, cut: 1 })
    t.equal(await client.status, 0)
    t.ok((await failed) instanceof Error)
  })
}
