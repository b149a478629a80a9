import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { Client } from '../../../../src/conformance/wire/send-request.js'
import { toTarget } from '../../../../src/conformance/wire/target.js'
import { serveTcp } from '../odd-target.js'

const body = '{"data":{"__typename":"Query"}}'
const whole = `HTTP/1.1 200 OK\r\ncontent-length: 31\r\n\r\n${body}`

/** Sends GET requests to a server that does with connections as it likes. */
async function sender(t: Test, behave: (socket: Socket) => void) {
  const target = toTarget(await serveTcp(t, behave))
  const client = new Client(target, false)
  t.teardown(() => client.destroy())
  const request = { method: 'GET', target: '/', headers: [], body: undefined }
  return (timeout = 1000) => client.send(request, timeout)
}

/**
 * What each connection sends, request by request: undefined closes it, and so does what is not whole. Then whether each
 * request fails, and how often one was sent at all.
 */
// oxfmt-ignore
const rows: readonly [says: string, script: readonly (readonly (string | undefined)[])[], failures: readonly boolean[], sent: number][] = [
  ['closed before a response, once used',          [[whole, undefined], [whole]],              [false, false], 3],
  ['closed before a response, unused',             [[undefined]],                              [true],         1],
  ['closed before a response, and so is the next', [[whole, undefined], [undefined], [whole]], [false, true],  3],
  ['closed within the head',                       [[whole, 'HTTP/1.1 20'], [whole]],          [false, true],  2],
  ['closed within the body',                       [[whole, whole.slice(0, -1)], [whole]],     [false, true],  2],
  ['silent, once used',                            [[whole, ''], [whole]],                     [false, true],  2],
]
for (const [says, script, failures, sent] of rows) {
  void t.test(`a connection that is ${says}`, async (t) => {
    const waiting = [...script]
    let requests = 0
    const send = await sender(t, (socket) => {
      const answers = [...(waiting.shift() ?? [])]
      socket.on('data', () => {
        requests++
        const answer = answers.shift()
        if (answer !== undefined) socket.write(answer)
        if (answer !== whole && answer !== '') socket.end()
      })
    })
    for (const isFailure of failures) {
      const { failure } = await send(300)
      t.equal(failure !== undefined, isFailure, failure ?? 'answered')
    }
    t.equal(requests, sent)
  })
}

const inChunks = `1f\r\n${body}\r\n0\r\n\r\n`
const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\t\r\n\r\n'

/** RFC 9112 section 5: white space may stand before and after every value. */
// oxfmt-ignore
const spaced: readonly [says: string, response: string, headers: readonly string[]][] = [
  ['a space',               `X-A: b c \r\nContent-Length: 31 \r\n\r\n${body}`,             ['X-A: b c', 'Content-Length: 31']],
  ['tabs',                  `X-A:\tb\tc\t \t\r\nContent-Length:\t31\t\r\n\r\n${body}`,     ['X-A: b\tc', 'Content-Length: 31']],
  ['a tab after a coding',  `Transfer-Encoding: chunked\t\r\n\r\n${inChunks}`,             ['Transfer-Encoding: chunked']],
  ['a tab after an option', `content-length: 31 \t\r\nConnection: close\t\r\n\r\n${body}`, ['content-length: 31', 'Connection: close']],
]
for (const [says, response, headers] of spaced) {
  for (const [how, interim, size] of [
    ['at once', '', Infinity],
    ['byte by byte', '', 1],
    ['after an interim one', early, 10],
  ] as const) {
    void t.test(`a response with ${says} behind its values, ${how}`, async (t) => {
      let requests = 0
      const send = await sender(t, (socket) => {
        socket.setNoDelay()
        socket.on('data', async () => {
          requests++
          const text = `${interim}HTTP/1.1 200 OK\r\n${response}`
          for (let at = 0; at < text.length; at += size) {
            socket.write(text.slice(at, at + size))
            if (size < Infinity) await new Promise((resolve) => setImmediate(resolve))
          }
        })
      })
      for (let count = 1; count <= 2; count++) {
        const { failure, responses } = await send()
        t.equal(failure, undefined)
        t.strictSame(
          responses.map((one) => one.headers.map(([name, value]) => `${name}: ${value}`)),
          [headers],
        )
        t.equal(Buffer.from(responses[0]?.body ?? []).toString(), body)
        t.equal(requests, count, 'sent once')
      }
    })
  }
}

void t.test('a tab in a body, or in another value, stays', async (t) => {
  const text = 'content-length:\t31\t'
  const length = `Content-Length: ${text.length + 2}`
  const send = await sender(t, (socket) => {
    const answer = `HTTP/1.1 200 OK\r\nX-A: a\tb\r\n${length}\r\n\r\n\r\n${text}`
    socket.on('data', () => socket.write(answer))
  })
  const [response] = (await send()).responses
  t.equal(Buffer.from(response?.body ?? []).toString(), `\r\n${text}`)
  t.strictSame(response?.headers[0], ['X-A', 'a\tb'])
})
