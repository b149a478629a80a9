import t from 'tap'
import { Connections } from '../../../../src/conformance/wire/connections.js'
import { sendRequest } from '../../../../src/conformance/wire/send-request.js'
import { toTarget } from '../../../../src/conformance/wire/target.js'
import { serveTcp } from '../odd-target.js'

/** What a connection receives, request by request, and what is sent for each: undefined closes it. */
type Script = readonly (readonly (string | undefined)[])[]

const whole =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 31\r\n\r\n' +
  '{"data":{"__typename":"Query"}}'

/** Whether each request fails, one after the other, and how often one was sent at all. */
interface Row {
  readonly script: Script
  readonly failures: readonly boolean[]
  readonly sent: number
}

const rows: { readonly [says: string]: Row } = {
  'closed before a response, once used': {
    script: [[whole, undefined], [whole]],
    failures: [false, false],
    sent: 3,
  },
  'closed before a response, unused': { script: [[undefined]], failures: [true], sent: 1 },
  'closed before a response, and so is the next': {
    script: [[whole, undefined], [undefined], [whole]],
    failures: [false, true],
    sent: 3,
  },
  'closed within the head': {
    script: [[whole, 'HTTP/1.1 20'], [whole]],
    failures: [false, true],
    sent: 2,
  },
  'closed within the body': {
    script: [[whole, whole.slice(0, -1)], [whole]],
    failures: [false, true],
    sent: 2,
  },
  'silent, once used': { script: [[whole, ''], [whole]], failures: [false, true], sent: 2 },
}
for (const [says, { script, failures, sent }] of Object.entries(rows)) {
  void t.test(`a connection that is ${says}`, async (t) => {
    const waiting = [...script]
    let requests = 0
    const url = await serveTcp(t, (socket) => {
      const answers = [...(waiting.shift() ?? [])]
      socket.on('data', () => {
        requests++
        const answer = answers.shift()
        if (answer !== undefined) socket.write(answer)
        if (answer !== whole && answer !== '') socket.end()
      })
    })
    const target = toTarget(url)
    const connections = new Connections(target, { insecure: false, timeout: 1000 })
    t.teardown(() => connections.destroy())
    const request = { method: 'GET', target: '/', headers: [], body: undefined }
    for (const isFailure of failures) {
      const { failure } = await sendRequest(connections, target, request, 300)
      t.equal(failure !== undefined, isFailure, failure ?? 'answered')
    }
    t.equal(requests, sent)
  })
}

const body = '{"data":{"__typename":"Query"}}'
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
      const url = await serveTcp(t, (socket) => {
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
      const target = toTarget(url)
      const connections = new Connections(target, { insecure: false, timeout: 1000 })
      t.teardown(() => connections.destroy())
      const request = { method: 'GET', target: '/', headers: [], body: undefined }
      for (let count = 1; count <= 2; count++) {
        const { failure, responses } = await sendRequest(connections, target, request, 1000)
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
  const url = await serveTcp(t, (socket) => {
    socket.on('data', () => {
      socket.write(
        `HTTP/1.1 200 OK\r\nX-A: a\tb\r\nContent-Length: ${text.length + 2}\r\n\r\n\r\n${text}`,
      )
    })
  })
  const target = toTarget(url)
  const connections = new Connections(target, { insecure: false, timeout: 1000 })
  t.teardown(() => connections.destroy())
  const request = { method: 'GET', target: '/', headers: [], body: undefined }
  const { responses } = await sendRequest(connections, target, request, 1000)
  t.equal(Buffer.from(responses[0]?.body ?? []).toString(), `\r\n${text}`)
  t.strictSame(responses[0]?.headers[0], ['X-A', 'a\tb'])
})
