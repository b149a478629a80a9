import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { buildSchema } from 'graphql'
import t, { type Test } from 'tap'
import { decoders, serve, type ServeOptions } from '../../../../../src/hosts/node/index.js'
import { rawClient } from '../../raw-client.js'

const maxBodyBytes = 10_000
const query = { query: '{ echo(text: "Zoë 😀") }' }
const json = Buffer.from(JSON.stringify(query))
const echoed = { data: { echo: 'Zoë 😀' } }

interface Sent {
  readonly coding: string
  readonly body: Uint8Array
  readonly isChunked?: boolean
}

interface Received {
  readonly status: number | undefined
  readonly header: (name: string) => string | undefined
  readonly json: unknown
  readonly ran: number
  readonly bugs: readonly unknown[]
}

/** Sends one body to a server of its own. */
async function send(t: Test, sent: Sent, options: Partial<ServeOptions> = {}): Promise<Received> {
  const { coding, body, isChunked = false } = sent
  let ran = 0
  const bugs: unknown[] = []
  const served = await serve({
    schema: buildSchema('type Query { echo(text: String): String }'),
    rootValue: {
      echo: ({ text }: { text: string }) => {
        ran++
        return text
      },
    },
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes,
    decoders,
    onBug: (bug) => bugs.push(bug),
    ...options,
  })
  t.teardown(() => served.close({ grace: 0 }))
  const client = await rawClient(served.port)
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  client.write(
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      `Content-Encoding: ${coding}\r\n${framing}\r\n\r\n`,
  )
  client.write(isChunked ? chunked(body) : body)
  const answer = await client.next()
  client.socket.destroy()
  return {
    status: answer?.status,
    header: (name) => {
      const at = answer?.headers.findIndex((one, index) => index % 2 === 0 && one === name) ?? -1
      return at < 0 ? undefined : answer?.headers[at + 1]
    },
    json: JSON.parse(String(answer?.body)),
    ran,
    bugs,
  }
}

/** The body in chunks of seven bytes. */
function chunked(body: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < body.length; at += 7) {
    const piece = body.subarray(at, at + 7)
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')])
}

const compress = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync } as const
type Coding = keyof typeof compress
const codings = Object.keys(compress) as Coding[]

// oxfmt-ignore
const spellings: readonly (readonly [field: string, coding: Coding | undefined])[] = [
  ...codings.map((coding) => [coding, coding] as const),
  ['GZIP',               'gzip'],
  ['Br',                 'br'],
  ['gzip, identity',     'gzip'],
  ['identity, gzip',     'gzip'],
  [' , gzip ,',          'gzip'],
  ['identity',           undefined],
  ['IDENTITY, identity', undefined],
  ['',                   undefined],
]
for (const [field, coding] of spellings) {
  for (const isChunked of [false, true]) {
    void t.test(`takes ${JSON.stringify(field)}${isChunked ? ', in chunks' : ''}`, async (t) => {
      const body = coding === undefined ? json : compress[coding](json)
      const answer = await send(t, { coding: field, body, isChunked })
      t.equal(answer.status, 200)
      t.strictSame(answer.json, echoed)
    })
  }
}

for (const field of [
  'gzip, gzip',
  'gzip, br',
  'zstd',
  'x-gzip',
  'gzip2',
  'constructor',
  '__proto__',
  'gzip;q=1',
]) {
  void t.test(`does not take ${field}, and says what it takes`, async (t) => {
    const answer = await send(t, { coding: field, body: gzipSync(gzipSync(json)) })
    t.equal(answer.status, 415)
    t.equal(answer.header('Accept-Encoding'), 'gzip, br, deflate, identity')
    t.match(answer.json, { errors: [{ extensions: { code: 'UNSUPPORTED_ENCODING' } }] })
    t.equal(answer.ran, 0)
  })
}

for (const coding of codings) {
  void t.test(`without decoders ${coding} is not taken`, async (t) => {
    const answer = await send(t, { coding, body: compress[coding](json) }, { decoders: undefined })
    t.equal(answer.status, 415)
    t.equal(answer.header('Accept-Encoding'), 'identity')
    t.equal(answer.ran, 0)
  })

  void t.test(`${coding} is taken up to maxBodyBytes decoded, and not a byte more`, async (t) => {
    for (const [length, status] of [
      [maxBodyBytes, 200],
      [maxBodyBytes + 1, 413],
    ] as const) {
      const body = compress[coding](Buffer.concat([json, Buffer.alloc(length - json.length, ' ')]))
      t.ok(body.length < 1000)
      const answer = await send(t, { coding, body })
      t.equal(answer.status, status)
      if (status === 200) continue
      const message = `The body, decompressed, is larger than the limit of ${maxBodyBytes} bytes.`
      const extensions = { code: 'BODY_TOO_LARGE', allowed: maxBodyBytes }
      t.match(answer.json, { errors: [{ message, extensions }] })
      t.equal(answer.ran, 0)
    }
  })

  void t.test(`a bomb of ${coding} is 413, and is not decoded to its end`, async (t) => {
    const bomb = compress[coding](Buffer.alloc(50_000_000, ' '))
    const before = process.memoryUsage().arrayBuffers
    const answer = await send(t, { coding, body: bomb }, { maxBodyBytes: 100_000 })
    t.equal(answer.status, 413)
    t.ok(process.memoryUsage().arrayBuffers - before < 25_000_000, 'most of it was never there')
  })

  for (const isChunked of [false, true]) {
    const how = isChunked ? ', in chunks' : ''
    void t.test(`${coding} that is itself larger than maxBodyBytes is 413${how}`, async (t) => {
      const body = Buffer.alloc(maxBodyBytes + 1, compress[coding](json))
      const answer = await send(t, { coding, body, isChunked })
      t.equal(answer.status, 413)
      t.equal(answer.ran, 0)
    })
  }

  const whole = compress[coding](json)
  for (const [title, body] of [
    ['cut', whole.subarray(0, -5)],
    ['cut at its start', whole.subarray(0, 3)],
    ['no such coding', json],
    ['empty', Buffer.alloc(0)],
  ] as const) {
    void t.test(`${coding} that is ${title} is 400`, async (t) => {
      const answer = await send(t, { coding, body })
      t.equal(answer.status, 400)
      t.match(answer.json, { errors: [{ extensions: { code: 'BROKEN_ENCODING' } }] })
      t.notMatch(JSON.stringify(answer.json), /zlib|Z_|header check/)
      t.equal(answer.ran, 0)
      t.strictSame(answer.bugs, [])
    })
  }
}

const flipped = gzipSync(json)
flipped[flipped.length - 6] = (flipped[flipped.length - 6] ?? 0) ^ 1
for (const [title, coding, body] of [
  ['gzip with a wrong checksum', 'gzip', flipped],
  ['gzip sent as deflate', 'deflate', gzipSync(json)],
  ['deflate sent as gzip', 'gzip', deflateSync(json)],
  ['deflate without its head', 'deflate', deflateRawSync(json)],
] as const) {
  void t.test(`${title} is 400`, async (t) => {
    const answer = await send(t, { coding, body })
    t.equal(answer.status, 400)
    t.match(answer.json, { errors: [{ extensions: { code: 'BROKEN_ENCODING' } }] })
  })
}

void t.test('what was decoded is checked like any body', async (t) => {
  for (const [text, code] of /* oxfmt-ignore */ [
    ['{',                                    'INVALID_JSON'],
    [Buffer.from([0x22, 0xff, 0x22]),        'INVALID_UTF_8'],
    ['[]',                                   'BATCHING_NOT_SUPPORTED'],
    ['['.repeat(200),                        'INVALID_JSON'],
    [`${'['.repeat(200)}${']'.repeat(200)}`, 'JSON_TOO_DEEP'],
  ] as const) {
    const answer = await send(t, { coding: 'gzip', body: gzipSync(text) })
    t.match(answer.json, { errors: [{ extensions: { code } }] })
  }
})

void t.test('several members of gzip are one body', async (t) => {
  const body = Buffer.concat([gzipSync(json.subarray(0, 5)), gzipSync(json.subarray(5))])
  t.strictSame((await send(t, { coding: 'gzip', body })).json, echoed)
})

type Decoder = NonNullable<ServeOptions['decoders']>[string]
// oxfmt-ignore
const mine: readonly (readonly [title: string, decoder: Decoder, status: number, code?: string])[] =
  [
    ['gives at once',          () => ({ ok: true, value: json }),                                 200],
    ['gives later',            () => Promise.resolve({ ok: true, value: json }),                  200],
    ['says too large',         () => ({ ok: false, reason: 'too-large' }),                        413, 'BODY_TOO_LARGE'],
    ['says broken',            () => Promise.resolve({ ok: false, reason: 'broken' }),            400, 'BROKEN_ENCODING'],
    ['gives more than it may', () => ({ ok: true, value: Buffer.alloc(maxBodyBytes + 1, json) }), 413, 'BODY_TOO_LARGE'],
    [
      'throws',
      () => {
        throw new Error('secret')
      },
      500,
      'INTERNAL_SERVER_ERROR',
    ],
    ['rejects',                () => Promise.reject(new Error('secret')),                         500, 'INTERNAL_SERVER_ERROR'],
  ]
for (const [title, decoder, status, code] of mine) {
  void t.test(`a decoder that ${title}: ${status}`, async (t) => {
    const answer = await send(t, { coding: 'mine', body: json }, { decoders: { mine: decoder } })
    t.equal(answer.status, status)
    if (code === undefined) t.strictSame(answer.json, echoed)
    else t.match(answer.json, { errors: [{ extensions: { code } }] })
    t.match(answer.bugs, status === 500 ? [{ message: 'secret' }] : [])
    t.equal(answer.bugs.length, status === 500 ? 1 : 0)
    t.notMatch(JSON.stringify(answer.json), 'secret')
  })
}

void t.test('a decoder gets the bytes as they came, and the limit', async (t) => {
  const seen: unknown[] = []
  const mirror: Decoder = (bytes, maxBytes) => {
    seen.push(Buffer.from(bytes).toString(), maxBytes)
    return { ok: true, value: bytes }
  }
  await send(t, { coding: 'Mirror', body: json }, { decoders: { mirror } })
  t.strictSame(seen, [json.toString(), maxBodyBytes])
})
