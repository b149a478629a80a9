import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { decoders } from '../../../../../src/hosts/node/index.js'
import { testClient } from '../../../../../src/hosts/testing.js'
import { thrower } from '../../../../base/thrower.js'
import { buildSchema, createHandler, type Decoder, type Options } from '../../../../../src/index.js'

const maxBodyBytes = 10_000
const json = Buffer.from(JSON.stringify({ query: '{ echo(text: "Zoë 😀") }' }))
const echoed = { data: { echo: 'Zoë 😀' } }

async function send(coding: string, body: Uint8Array, options: Partial<Options> = {}) {
  let ran = 0
  const bugs: unknown[] = []
  const schema = buildSchema('type Query { echo(text: String): String }', {
    Query: {
      echo: (_: unknown, { text }: { text: string }) => {
        ran++
        return text
      },
    },
  })
  const onBug = (bug: unknown): void => void bugs.push(bug)
  const client = testClient(createHandler({ schema, maxBodyBytes, decoders, onBug, ...options }))
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding }
  const answer = await client({ method: 'POST', target: '/', headers, body })
  return { ...answer, json: JSON.parse(answer.body) as unknown, ran, bugs }
}

const compress = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync } as const
type Coding = keyof typeof compress
const codings = Object.keys(compress) as Coding[]

// oxfmt-ignore
const spellings: readonly (readonly [field: string, coding: Coding | undefined])[] = [
  ...codings.map((coding) => [coding, coding] as const),
  ['GZIP',               'gzip'],
  ['gzip, identity',     'gzip'],
  [' , gzip ,',          'gzip'],
  ['IDENTITY, identity', undefined],
  ['',                   undefined],
]
for (const [field, coding] of spellings) {
  void t.test(`takes ${JSON.stringify(field)}`, async (t) => {
    const answer = await send(field, coding === undefined ? json : compress[coding](json))
    t.strictSame(answer.json, echoed)
  })
}

const unknown = ['gzip, gzip', 'gzip, br', 'zstd', 'x-gzip', 'constructor', '__proto__', 'gzip;q=1']
for (const field of unknown) {
  void t.test(`does not take ${field}, and says what it takes`, async (t) => {
    const answer = await send(field, gzipSync(gzipSync(json)))
    t.equal(answer.status, 415)
    t.equal(answer.headers.get('accept-encoding'), 'gzip, br, deflate, identity')
    t.match(answer.json, { errors: [{ extensions: { code: 'UNSUPPORTED_ENCODING' } }] })
    t.equal(answer.ran, 0)
  })
}

const flipped = gzipSync(json)
flipped[flipped.length - 6] = (flipped[flipped.length - 6] ?? 0) ^ 1

// oxfmt-ignore
const broken: readonly (readonly [title: string, coding: string, body: Uint8Array])[] = [
  ...codings.flatMap((coding) => {
    const whole = compress[coding](json)
    return [
      [`${coding} that is cut`,            coding, whole.subarray(0, -5)],
      [`${coding} that is cut at its start`, coding, whole.subarray(0, 3)],
      [`${coding} that is no such coding`, coding, json],
      [`${coding} that is empty`,          coding, Buffer.alloc(0)],
    ] as const
  }),
  ['gzip with a wrong checksum', 'gzip',    flipped],
  ['gzip sent as deflate',       'deflate', gzipSync(json)],
  ['deflate sent as gzip',       'gzip',    deflateSync(json)],
  ['deflate without its head',   'deflate', deflateRawSync(json)],
]
for (const [title, coding, body] of broken) {
  void t.test(`${title} is 400`, async (t) => {
    const answer = await send(coding, body)
    t.equal(answer.status, 400)
    t.match(answer.json, { errors: [{ extensions: { code: 'BROKEN_ENCODING' } }] })
    t.notMatch(answer.body, /zlib|Z_|header check/)
    t.equal(answer.ran, 0)
    t.strictSame(answer.bugs, [])
  })
}

void t.test('without decoders no coding is taken', async (t) => {
  const answer = await send('gzip', gzipSync(json), { decoders: undefined })
  t.equal(answer.status, 415)
  t.equal(answer.headers.get('accept-encoding'), 'identity')
  t.equal(answer.ran, 0)
})

for (const coding of codings) {
  void t.test(`${coding} is taken up to maxBodyBytes decoded, and not a byte more`, async (t) => {
    const padded = (length: number): Buffer =>
      compress[coding](Buffer.concat([json, Buffer.alloc(length - json.length, ' ')]))
    t.equal((await send(coding, padded(maxBodyBytes))).status, 200)
    const answer = await send(coding, padded(maxBodyBytes + 1))
    t.equal(answer.status, 413)
    const message = `The body, decompressed, is larger than the limit of ${maxBodyBytes} bytes.`
    const extensions = { code: 'BODY_TOO_LARGE', allowed: maxBodyBytes }
    t.match(answer.json, { errors: [{ message, extensions }] })
    t.equal(answer.ran, 0)
  })

  void t.test(`${coding} that is itself larger than maxBodyBytes is 413`, async (t) => {
    const answer = await send(coding, Buffer.alloc(maxBodyBytes + 1, compress[coding](json)))
    t.equal(answer.status, 413)
    t.equal(answer.ran, 0)
  })

  void t.test(`a bomb of ${coding} is 413, and is not decoded to its end`, async (t) => {
    const bomb = compress[coding](Buffer.alloc(50_000_000, ' '))
    const before = process.memoryUsage().arrayBuffers
    t.equal((await send(coding, bomb, { maxBodyBytes: 100_000 })).status, 413)
    t.ok(process.memoryUsage().arrayBuffers - before < 25_000_000, 'most of it was never there')
  })
}

/** A few bytes that fill a window of 16 MiB before anything comes out. */
const windowBomb = brotliCompressSync(Buffer.alloc(64_000_000, ' '), {
  params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
})

void t.test('of 40 bombs with large windows, only two are decoded at once', async (t) => {
  const before = process.memoryUsage.rss()
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 5)
  await Promise.all(
    Array.from({ length: 40 }, async () => t.equal((await send('br', windowBomb)).status, 413)),
  )
  clearInterval(watch)
  t.ok(most < 150_000_000, `${most} bytes`)
})

void t.test('a decoder that has thrown decodes the next bodies', async (t) => {
  const { gzip } = decoders
  for (let at = 0; at < 3; at += 1) await t.rejects(async () => gzip({} as never, maxBodyBytes))
  t.match(await gzip(gzipSync(json), maxBodyBytes), { ok: true })
})

void t.test('clients whose bodies wait take turns', async (t) => {
  const ended: string[] = []
  const decode = async (client: string): Promise<void> => {
    await decoders.deflate(deflateSync(json), maxBodyBytes, undefined, client)
    ended.push(client)
  }
  const flood = Array.from({ length: 40 }, async () => decode('flood'))
  await decode('other')
  t.ok(ended.indexOf('other') < 10, ended.join(' '))
  await Promise.all(flood)
  await decode('other')
  t.equal(ended.length, 42)
})

void t.test('bodies that are not needed any more take no turn', async (t) => {
  const ended: string[] = []
  const decode = async (client: string, aborted = false): Promise<void> => {
    await decoders.deflate(deflateSync(json), maxBodyBytes, { aborted }, client)
    if (!aborted) ended.push(client)
  }
  const flood = Array.from({ length: 40 }, async () => decode('flood'))
  const left = Array.from({ length: 20 }, async () => decode('other', true))
  await decode('other')
  t.ok(ended.indexOf('other') < 10, ended.join(' '))
  await Promise.all([...flood, ...left])
})

void t.test('a body that is not needed any more is not decoded', async (t) => {
  const decoded = await decoders.gzip(gzipSync(json), maxBodyBytes, { aborted: true })
  t.strictSame(decoded, { ok: false, reason: 'broken' })
})

void t.test('what was decoded is checked like any body', async (t) => {
  for (const [text, code] of /* oxfmt-ignore */ [
    [Buffer.from([0x22, 0xff, 0x22]),        'INVALID_UTF_8'],
    ['[]',                                   'BATCHING_NOT_SUPPORTED'],
    ['['.repeat(200),                        'INVALID_JSON'],
    [`${'['.repeat(200)}${']'.repeat(200)}`, 'JSON_TOO_DEEP'],
  ] as const) {
    const answer = await send('gzip', gzipSync(text))
    t.match(answer.json, { errors: [{ extensions: { code } }] })
  }
})

void t.test('several members of gzip are one body', async (t) => {
  const body = Buffer.concat([gzipSync(json.subarray(0, 5)), gzipSync(json.subarray(5))])
  t.strictSame((await send('gzip', body)).json, echoed)
})

const fail = thrower(new Error('secret'))
// oxfmt-ignore
const mine: readonly (readonly [title: string, decoder: Decoder, status: number, code?: string])[] = [
  ['gives at once',          () => ({ ok: true, value: json }),                                 200],
  ['gives later',            async () => ({ ok: true, value: json }),                           200],
  ['says too large',         () => ({ ok: false, reason: 'too-large' }),                        413, 'BODY_TOO_LARGE'],
  ['says broken',            async () => ({ ok: false, reason: 'broken' }),                     400, 'BROKEN_ENCODING'],
  ['gives more than it may', () => ({ ok: true, value: Buffer.alloc(maxBodyBytes + 1, json) }), 413, 'BODY_TOO_LARGE'],
  ['throws',                 fail,                                                              500, 'INTERNAL_SERVER_ERROR'],
  ['rejects',                async () => fail(),                                      500, 'INTERNAL_SERVER_ERROR'],
]
for (const [title, decoder, status, code] of mine) {
  void t.test(`a decoder that ${title}: ${status}`, async (t) => {
    const answer = await send('mine', json, { decoders: { mine: decoder } })
    t.equal(answer.status, status)
    if (code === undefined) t.strictSame(answer.json, echoed)
    else t.match(answer.json, { errors: [{ extensions: { code } }] })
    t.same(answer.bugs.map(String), status === 500 ? ['Error: secret'] : [])
    t.notMatch(answer.body, 'secret')
  })
}

void t.test(
  'a decoder gets the bytes as they came, the limit, the signal and the client',
  async (t) => {
    const seen: unknown[] = []
    const mirror: Decoder = (bytes, maxBytes, signal, client) => {
      seen.push(Buffer.from(bytes).toString(), maxBytes, signal?.aborted, client)
      return { ok: true, value: bytes }
    }
    const schema = buildSchema('type Query { echo(text: String): String }')
    const client = testClient(createHandler({ schema, maxBodyBytes, decoders: { mirror } }))
    const raw = { socket: { remoteAddress: '192.0.2.1' } }
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'Mirror' }
    await client({ method: 'POST', target: '/', headers, body: json, raw })
    t.strictSame(seen, [json.toString(), maxBodyBytes, false, '192.0.2.1'])
  },
)
