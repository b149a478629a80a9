import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import {
  chunkedHead,
  chunkOf,
  postBytes,
  postEcho,
  postLines,
  postRaw,
} from '../hosts/raw-client.js'
import type { RawClient } from '../hosts/raw-client.js'
import { checkResponse } from './check-response.js'
import { attacksOf, bytesAttacks, runAttacks, type Attack, type AttackRow } from './run-attacks.js'
import { askAll } from './target.js'

t.jobs = 2

const MiB = 1024 * 1024
const chunk = Buffer.from(chunkOf(' '.repeat(65_536)))

/** Writes chunks for as long as anybody takes them, at most 10,000; says how many were written. */
async function pour({ socket }: RawClient): Promise<number> {
  let poured = 0
  while (poured < 10_000 && !socket.destroyed && socket.writable) {
    poured++
    if (!socket.write(chunk)) await drained(socket)
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
const tooManyChunks = [Buffer.from(chunkedHead), ...Array<Buffer>(16).fill(chunk)]

// oxfmt-ignore
const sizes: readonly AttackRow<string | Uint8Array>[] = [
  ['a length of 10 GB, and nothing of it', `${postLines}Content-Length: 10000000000\r\n\r\n`,              413, 'BODY_TOO_LARGE'],
  ['a byte too much',                      postBytes(hello.padEnd(MiB + 1)),                          413, 'BODY_TOO_LARGE'],
  ['as much as may be',                    postBytes(hello.padEnd(MiB)),                              200],
  ['a byte too much in chunks',            Buffer.concat([...tooManyChunks, Buffer.from('1\r\n \r\n')]), 413, 'BODY_TOO_LARGE'],
]

// oxfmt-ignore
const poured: readonly (readonly [name: string, clients: number, start: string])[] = [
  ['chunks without an end',                               1,  chunkedHead],
  ['a length of 1 GB that is really sent, by 20 clients', 20, `${postLines}Content-Length: 1000000000\r\n\r\n`],
]
const large = [
  ...bytesAttacks(sizes),
  ...poured.map(([name, count, start]): Attack => ({
    name,
    async run(t, { connectMany }) {
      const clients = await connectMany(count)
      await Promise.all(
        clients.map(async (client) => {
          client.write(start)
          const pouring = pour(client)
          checkResponse(t, await client.next(), { status: 413, code: 'BODY_TOO_LARGE' })
          // What is read on, and what two systems keep of a connection.
          t.ok((await pouring) * chunk.length < 64 * MiB, 'the server stopped reading')
        }),
      )
    },
  })),
  ...attacksOf({
    async '60 bodies of 1 MiB that stay half sent, within the share of a client'(t, target) {
      const half = `${postLines}Content-Length: ${MiB}\r\n\r\n${' '.repeat(MiB / 2)}`
      const answers = await askAll(await target.connectMany(60), half)
      for (const answer of answers) checkResponse(t, answer, { status: 408 })
    },
  }),
]

runAttacks('a server bears large bodies', large, { rounds: 2, env: { ATTACKED_TIMES: 'short' } })

const zeros = Buffer.alloc(100 * MiB, ' ')
const bomb = gzipSync(zeros)

const encoded = (coding: string, body: Uint8Array): Uint8Array =>
  postRaw(body, `Content-Encoding: ${coding}\r\n`)
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

const bombs = [
  ...bytesAttacks(codings),
  ...attacksOf({
    async '50 bombs at once'(t, { connectMany }) {
      const answers = await askAll(await connectMany(50), encoded('gzip', bomb))
      for (const answer of answers) checkResponse(t, answer, { status: 413 })
    },
  }),
]

runAttacks('a server that unpacks bears bombs', bombs, { rounds: 2, words: ['--gzip'] })

/** Sends a piece now and then until the server has had enough, and checks that it says so. */
async function trickle(t: Test, client: RawClient, start: string, piece: string): Promise<void> {
  client.write(start)
  const answer = client.next().finally(() => client.socket.destroy())
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
  ['slow bodies',               `${postLines}Content-Length: 1000\r\n\r\n`, ' '],
  ['slow chunks',               chunkedHead,                           '1\r\n \r\n'],
  ['slow extensions of chunks', `${chunkedHead}1;`,                    'a'],
]

const slowClients = [
  ...slow.map(([name, start, piece]): Attack => ({
    name,
    async run(t, { connectMany }) {
      const clients = await connectMany(200)
      await Promise.all(clients.map((client) => trickle(t, client, start, piece)))
    },
  })),
  ...attacksOf({
    async 'answers that are not read'(t, { connectMany }) {
      const bytes = postEcho(200_000)
      const clients = await connectMany(50)
      for (const { socket } of clients) {
        socket.pause()
        for (let count = 0; count < 20; count++) socket.write(bytes)
      }
      // The server cuts them: a write finds out, since nothing is read.
      for (const { socket } of clients) {
        for (; !socket.destroyed; await pause(100)) socket.write(' ')
      }
      t.pass('every one was cut')
    },
  }),
]

runAttacks('a server bears slow clients on 200 sockets while others are served', slowClients, {
  env: { ATTACKED_TIMES: 'short' },
})
