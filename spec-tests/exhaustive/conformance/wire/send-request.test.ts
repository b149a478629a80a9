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
  const client = new Client(target)
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
