import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { toFetch } from '../../../src/hosts/fetch.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { buildSchema, createHandler, type Handler, type Options } from '../../../src/index.js'
import { uploads, uploadScalar } from '@graphwire/uploads'
import type { Upload, UploadedFile, UploadOptions } from '@graphwire/uploads'
import { jsonOf } from '../../hosts/exchange.js'
import { chunkOf, postBytes, rawClient, type RawClient } from '../hosts/raw-client.js'
import { defer } from '../../base/defer.js'
import { listenFor } from '../../hosts/start-node.js'
import {
  end,
  parameters,
  partOf,
  uploadHeaders,
  uploadLines,
  type Part,
} from '../../../packages/uploads/spec-tests/multipart.js'

const MiB = 1024 * 1024

interface Files {
  readonly a: Upload
  readonly b: Upload
}

/** Reads the two files of a request; what it returns is the response. */
type Read = (files: Files) => Promise<unknown>

const textOf = ({ stream }: UploadedFile): Promise<string> => new Response(stream).text()
const sizeOf = async (file: Upload): Promise<number> => (await textOf(await file.open())).length
const messageOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error as Error).message)

function handlerOf(read: Read, limits: UploadOptions, options: Partial<Options>): Handler {
  const sdl =
    'scalar Upload  type Query { x: Int }  type Mutation { read(a: Upload, b: Upload): String }'
  const schema = buildSchema(sdl, {
    Upload: uploadScalar,
    Mutation: { read: async (_: unknown, files: Files) => JSON.stringify(await read(files)) },
  })
  return createHandler({ schema, uploads: uploads(limits), ...options })
}

async function start(
  t: Test,
  read: Read,
  limits: UploadOptions = {},
  options: Partial<Options> = {},
) {
  const listener = toNodeListener(handlerOf(read, limits, options), { lingerTimeout: 200 })
  const port = await listenFor(t, createServer(listener))
  return { client: await rawClient(port), port }
}

const query = 'mutation ($a: Upload, $b: Upload) { read(a: $a, b: $b) }'
const before = parameters(
  { query, variables: { a: null, b: null } },
  { a: ['variables.a'], b: ['variables.b'] },
)
  .map(partOf)
  .join('')
const chunkedHead = `${uploadLines}Transfer-Encoding: chunked\r\n\r\n`

const fileOf = (name: string, content: string): Part => ({ name, filename: `${name}.txt`, content })
const whole = (body: string, headers = ''): string => postBytes(body, headers, uploadLines)
const both = (a: string, b: string): string =>
  before + partOf(fileOf('a', a)) + partOf(fileOf('b', b)) + end

/** What arrives of a request whose file has not ended. */
const withinFile = chunkedHead + chunkOf(before + partOf(fileOf('a', 'x'.repeat(1000))))

async function answerTo(client: RawClient, bytes: string): Promise<unknown> {
  const { data, errors } = jsonOf(await client.ask(bytes)) as {
    data?: { read: string }
    errors?: unknown
  }
  return data === undefined || data.read === null ? errors : (JSON.parse(data.read) as unknown)
}

void t.test('the operation runs before the file has arrived, and reads along', async (t) => {
  let arrived: (text: string) => void = () => {}
  const next = (): Promise<string> => new Promise((resolve) => (arrived = resolve))
  const { client } = await start(t, async ({ a }) => {
    const { filename, mediaType, stream } = await a.open()
    for await (const bytes of stream) {
      // The parser keeps what may be the beginning of a boundary.
      const [word] = /[a-z]+/.exec(Buffer.from(bytes).toString()) ?? []
      if (word !== undefined) arrived(`${filename} ${mediaType} ${word}`)
    }
    return 'read'
  })
  let waiting = next()
  client.write(
    chunkedHead + chunkOf(before + partOf(fileOf('a', 'none'.padEnd(100, '.'))).slice(0, -2)),
  )
  t.equal(await waiting, 'a.txt text/plain none')
  for (const piece of ['one', 'two']) {
    waiting = next()
    client.write(chunkOf(piece.padEnd(100, '.')))
    t.equal(await waiting, `a.txt text/plain ${piece}`)
  }
  t.same(await answerTo(client, chunkOf(`\r\n${end}`) + chunkOf('')), 'read')
})

// oxfmt-ignore
const inOrders: readonly [title: string, read: Read, expected: unknown][] = [
  ['one after the other', async ({ a, b }) => [await sizeOf(a), await sizeOf(b)], [300_000, 400_000]],
  ['both at once',        ({ a, b }) => Promise.all([sizeOf(a), sizeOf(b)]),      [300_000, 400_000]],
  ['the second first',    async ({ a, b }) => [await sizeOf(b), await sizeOf(a)], [400_000, 300_000]],
  [
    'both opened before one is read',
    async ({ a, b }) =>
      Promise.all((await Promise.all([b.open(), a.open()])).map(async (file) => (await textOf(file)).length)),
    [400_000, 300_000],
  ],
  ['only the second',                  async ({ b }) => sizeOf(b),                                                    400_000],
  ['only the first',                   async ({ a }) => sizeOf(a),                                                    300_000],
  ['none',                             async () => 'none',                                                            'none'],
  ['the first is opened and not read', async ({ a, b }) => [(await a.open()).filename, await sizeOf(b)],              ['a.txt', 400_000]],
  ['the first is cancelled',           async ({ a, b }) => [await (await a.open()).stream.cancel(), await sizeOf(b)], [null, 400_000]],
  [
    'the first is read in part',
    async ({ a, b }) => {
      for await (const _ of (await a.open()).stream) break
      return sizeOf(b)
    },
    400_000,
  ],
  ['the first is opened twice',        async ({ a }) => Promise.all([sizeOf(a), messageOf(sizeOf(a))]),                    [300_000, 'The file has been read already.']],
]

for (const [title, read, expected] of inOrders) {
  void t.test(`two files, ${title}`, async (t) => {
    const { client } = await start(t, read)
    const bytes = whole(both('x'.repeat(300_000), 'y'.repeat(400_000)))
    t.same(await answerTo(client, bytes), expected)
  })

  void t.test(`two files by fetch, ${title}`, async (t) => {
    const respond = toFetch(handlerOf(read, {}, {}))
    const body = both('x'.repeat(300_000), 'y'.repeat(400_000))
    const init = { method: 'POST', headers: uploadHeaders, body }
    const response = await respond(new Request('http://localhost/', init))
    const { data } = (await response.json()) as { data: { read: string } }
    t.same(JSON.parse(data.read), expected)
  })
}

void t.test('a file in the way is kept up to maxHeldBytes, and then given up', async (t) => {
  const { client } = await start(
    t,
    async ({ a, b }) => [await sizeOf(b), await messageOf(sizeOf(a))],
    { maxHeldBytes: 200_000 },
  )
  t.same(await answerTo(client, whole(both('x'.repeat(300_000), 'y'))), [
    1,
    'The file was given up: a later one was opened first, and more than 200000 bytes came before it.',
  ])
})

void t.test('a reader that waits holds up the client', async (t) => {
  const [released, opened] = [defer(), defer()]
  const { client } = await start(
    t,
    async ({ a }) => {
      const file = await a.open()
      opened.resolve()
      await released.promise
      return (await textOf(file)).length
    },
    { maxFileBytes: 100 * MiB, maxTotalBytes: 100 * MiB },
  )
  const size = 60 * MiB
  const answer = answerTo(client, whole(both('x'.repeat(size), '')))
  await opened.promise
  // What the kernel takes of both sides is some MiB.
  const unsent = await settled(() => client.socket.writableLength)
  t.ok(unsent > size / 2, `${unsent} bytes stay with the client`)
  released.resolve()
  t.same(await answer, size)
})

/** The value once it has not changed for some turns of 20 ms. */
async function settled(read: () => number): Promise<number> {
  let last = read()
  for (let same = 0; same < 10;) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const value = read()
    same = value === last ? same + 1 : 0
    last = value
  }
  return last
}

void t.test('a connection serves others behind files, whether they were read or not', async (t) => {
  const reading = await start(t, async ({ a, b }) => [await sizeOf(a), await sizeOf(b)])
  for (const size of [0, 10, 100_000]) {
    t.same(await answerTo(reading.client, whole(both('x'.repeat(size), 'y'))), [size, 1])
  }
  const { client } = await start(t, async () => 'unread')
  for (const size of [10, 60_000, 0]) {
    const bytes = whole(both('x'.repeat(size), ''))
    // The response comes before the rest of the file.
    t.same(await answerTo(client, bytes.slice(0, 1000)), 'unread')
    client.write(bytes.slice(1000))
  }
})

// oxfmt-ignore
const cuts: readonly [title: string, body: string, expected: string][] = [
  ['that is cut off within a file', before + partOf(fileOf('a', 'x'.repeat(1000))).slice(0, -100), 'The upload is incomplete or malformed.'],
  ['without its last boundary',     before + partOf(fileOf('a', 'x'.repeat(1000))),                'The upload is incomplete or malformed.'],
  ['that ends before the file',     before + end,                                                  'The request has no part "a".'],
]

for (const [title, body, expected] of cuts) {
  void t.test(`a body ${title} fails the stream`, async (t) => {
    const { client } = await start(t, ({ a }) => messageOf(sizeOf(a)))
    t.same(await answerTo(client, whole(body)), expected)
  })
}

void t.test('a client that leaves fails the stream, and the place is free again', async (t) => {
  const failed = defer<unknown>()
  const opened = defer()
  const read: Read = async ({ a }) => {
    const file = await a.open()
    opened.resolve()
    await textOf(file).catch(failed.resolve)
    return 'done'
  }
  const { client, port } = await start(t, read, { maxConcurrent: 1 })
  client.write(withinFile)
  await opened.promise
  const other = await rawClient(port)
  const refused = await other.ask(whole(both('', '')))
  t.equal(refused.status, 503)
  t.match(refused.body.toString(), /Too many concurrent uploads; retry in 1 second.*OVERLOADED/)
  other.socket.destroy()
  client.socket.destroy()
  t.ok((await failed.promise) instanceof Error)
  const third = await rawClient(port)
  t.same(await answerTo(third, whole(both('x', ''))), 'done')
  third.socket.destroy()
})

void t.test('a client may leave while two files are open, and one is awaited', async (t) => {
  const rejected: unknown[] = []
  const onRejection = (reason: unknown): void => void rejected.push(reason)
  process.on('unhandledRejection', onRejection)
  t.teardown(() => process.off('unhandledRejection', onRejection))
  const opened = defer()
  const over = defer()
  const read: Read = async ({ a, b }) => {
    const [first, second] = [a.open(), b.open()]
    opened.resolve()
    await first.then(textOf).catch(() => undefined)
    await new Promise(setImmediate)
    await second.catch(() => undefined)
    over.resolve()
  }
  const { client } = await start(t, read)
  client.write(withinFile)
  await opened.promise
  client.socket.destroy()
  await over.promise
  t.strictSame(rejected, [])
})

void t.test('one client has a share of the uploads', async (t) => {
  let begun = 0
  const read: Read = async ({ a }) => {
    begun += 1
    return textOf(await a.open())
  }
  const { client, port } = await start(t, read, { maxConcurrent: 3 }, { trustedProxies: 1 })
  const from = (address: string): string => `X-Forwarded-For: ${address}\r\n`
  client.write(uploadLines + from('192.0.2.1') + withinFile.slice(uploadLines.length))
  while (begun === 0) await new Promise(setImmediate)
  for (const [address, status] of [
    ['192.0.2.1', 503],
    ['192.0.2.2', 200],
  ] as const) {
    const other = await rawClient(port)
    t.equal((await other.ask(whole(both('x', ''), from(address)))).status, status, address)
    other.socket.destroy()
  }
})

const slow: readonly [title: string, bytes: string][] = [
  ['before the operations', chunkedHead],
  ['within the operations', chunkedHead + chunkOf(before.slice(0, 100))],
  ['within a file', withinFile],
]

for (const [title, bytes] of slow) {
  void t.test(`a client that stops ${title} is refused after the time limit`, async (t) => {
    const { client } = await start(
      t,
      ({ a }) => sizeOf(a),
      { timeout: 200 },
      { executionTimeout: 60_000 },
    )
    t.equal((await client.ask(bytes)).status, 503)
    await client.ended()
  })
}

void t.test('what is read when the response is there fails', async (t) => {
  let late: Promise<unknown> = Promise.resolve()
  const { client } = await start(t, async ({ a }) => {
    late = messageOf(a.open().then(textOf))
    return 'early'
  })
  t.same(await answerTo(client, withinFile), 'early')
  t.equal(await late, 'The response began before the file was read.')
})
