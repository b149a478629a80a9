import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { postBytes, postEcho, rawClient, type RawClient } from '../hosts/raw-client.js'
import { checkResponse } from './check-response.js'
import { bytesAttacks, runAttacks, type Attack, type AttackRow } from './run-attacks.js'
import type { Target } from './target.js'

t.jobs = 2

const MiB = 1024 * 1024
const head = 'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
const chunk = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`)

/** Writes pieces for as long as anybody takes them, at most so many; says how many were written. */
async function pour(client: RawClient, piece: Uint8Array, most: number): Promise<number> {
  const { socket } = client
  let poured = 0
  while (poured < most && !socket.destroyed && socket.writable) {
    poured++
    if (!socket.write(piece)) await drained(socket)
  }
  return poured
}

/** Resolves when more can be written, or when the connection has ended. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

const hello = '{"query":"{ hello }"}'
const tooManyChunks = [Buffer.from(chunked), ...Array<Buffer>(16).fill(chunk)]

// oxfmt-ignore
const sizes: readonly AttackRow<string | Uint8Array>[] = [
  ['a length of 10 GB, and nothing of it', `${head}Content-Length: 10000000000\r\n\r\n`,              413, 'BODY_TOO_LARGE'],
  ['a byte too much',                      postBytes(hello.padEnd(MiB + 1)),                          413, 'BODY_TOO_LARGE'],
  ['as much as may be',                    postBytes(hello.padEnd(MiB)),                              200],
  ['a byte too much in chunks',            Buffer.concat([...tooManyChunks, Buffer.from('1\r\n \r\n')]), 413, 'BODY_TOO_LARGE'],
]

// oxfmt-ignore
const poured: readonly (readonly [name: string, clients: number, start: string])[] = [
  ['chunks without an end',                               1,  chunked],
  ['a length of 1 GB that is really sent, by 20 clients', 20, `${head}Content-Length: 1000000000\r\n\r\n`],
]
const large: readonly Attack[] = [
  ...bytesAttacks(sizes),
  ...poured.map(([name, count, start]): Attack => ({
    name,
    async run(t, { port }) {
      await Promise.all(
        Array.from({ length: count }, async () => {
          const client = await rawClient(port)
          client.write(start)
          const pouring = pour(client, chunk, 10_000)
          checkResponse(t, await client.next(), { status: 413, code: 'BODY_TOO_LARGE' })
          // What is read on, and what two systems keep of a connection.
          t.ok((await pouring) * chunk.length < 64 * MiB, 'the server stopped reading')
        }),
      )
    },
  })),
  {
    name: '60 bodies of 1 MiB that stay half sent, within the share of a client',
    async run(t, { port }) {
      const clients = await Promise.all(Array.from({ length: 60 }, () => rawClient(port)))
      for (const client of clients) {
        client.write(`${head}Content-Length: ${MiB}\r\n\r\n`)
        client.write(Buffer.alloc(MiB / 2, ' '))
      }
      for (const client of clients) checkResponse(t, await client.next(), { status: 408 })
      for (const client of clients) client.socket.destroy()
    },
  },
]

runAttacks('a server bears large bodies', large, { rounds: 2, env: { ATTACKED_TIMES: 'short' } })

const zeros = Buffer.alloc(100 * MiB, ' ')
const bomb = gzipSync(zeros)

function encoded(coding: string, body: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from(`${head}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`),
    body,
  ])
}

const members = (count: number, content: Uint8Array | string): Uint8Array =>
  Buffer.concat(Array<Buffer>(count).fill(gzipSync(content)))

// oxfmt-ignore
const codings: readonly AttackRow<string | Uint8Array>[] = [
  ['100 MB in gzip',                   encoded('gzip', bomb),                                         413, 'BODY_TOO_LARGE'],
  ['100 MB in brotli',                 encoded('br', brotliCompressSync(zeros)),                      413, 'BODY_TOO_LARGE'],
  ['100 MB in deflate',                encoded('deflate', deflateSync(zeros)),                        413, 'BODY_TOO_LARGE'],
  ['a bomb in a bomb',                 encoded('gzip', gzipSync(bomb)),                               400, 'INVALID_UTF_8'],
  ['100 codings',                      encoded(Array(100).fill('gzip').join(), bomb),                 415, 'UNSUPPORTED_ENCODING'],
  ['1,000 members',                    encoded('gzip', members(1000, Buffer.alloc(65_536))),          413],
  ['20,000 empty members',             encoded('gzip', members(20_000, '')),                          400, 'INVALID_JSON'],
  ['half a bomb',                      encoded('gzip', bomb.subarray(0, bomb.length / 2)),            413],
]

const bombs: readonly Attack[] = [
  ...bytesAttacks(codings),
  {
    name: '50 bombs at once',
    async run(t, { port }) {
      const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(port)))
      for (const client of clients) client.write(encoded('gzip', bomb))
      for (const client of clients) checkResponse(t, await client.next(), { status: 413 })
      for (const client of clients) client.socket.destroy()
    },
  },
]

runAttacks('a server that unpacks bears bombs', bombs, { rounds: 2, words: ['--gzip'] })
const packed = bytesAttacks([
  ['100 MB in gzip', encoded('gzip', bomb), 415, 'UNSUPPORTED_ENCODING'],
])
runAttacks('a server that does not unpack refuses them', packed)

/** Sends a piece now and then until the server has had enough, and checks that it says so. */
async function trickle(t: Test, { port }: Target, start: string, piece: string): Promise<void> {
  const client = await rawClient(port)
  client.write(start)
  const answer = client.next().then((got) => {
    client.socket.destroy()
    return got
  })
  while (!client.socket.destroyed && client.socket.writable) {
    client.write(piece)
    await pause(100)
  }
  checkResponse(t, await answer, { status: 408, code: 'REQUEST_TIMEOUT' })
}

// oxfmt-ignore
const slow: readonly (readonly [name: string, start: string, piece: string])[] = [
  ['slow header lines',         'POST /graphql HTTP/1.1\r\n',          'A: b\r\n'],
  ['slow request lines',        'POST /',                              'a'],
  ['slow empty lines',          '',                                    '\r\n'],
  ['slow bodies',               `${head}Content-Length: 1000\r\n\r\n`, ' '],
  ['slow chunks',               chunked,                               '1\r\n \r\n'],
  ['slow extensions of chunks', `${chunked}1;`,                        'a'],
]

runAttacks(
  'a server bears slow clients on 200 sockets while others are served',
  [
    ...slow.map(([name, start, piece]): Attack => ({
      name,
      async run(t, target) {
        await Promise.all(Array.from({ length: 200 }, () => trickle(t, target, start, piece)))
      },
    })),
    {
      name: 'answers that are not read',
      async run(t, { port }) {
        const bytes = postEcho(200_000)
        const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(port)))
        for (const { socket } of clients) {
          socket.pause()
          for (let count = 0; count < 20; count++) socket.write(bytes)
        }
        // The server cuts them: a write finds out, since nothing is read.
        await Promise.all(
          clients.map(async ({ socket }) => {
            while (!socket.destroyed) {
              socket.write(' ')
              await pause(100)
            }
          }),
        )
        t.pass('every one was cut')
      },
    },
  ],
  { env: { ATTACKED_TIMES: 'short' } },
)
