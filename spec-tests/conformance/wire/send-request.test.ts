import t from 'tap'
import { Connections } from '../../../src/conformance/wire/connections.js'
import { sendRequest } from '../../../src/conformance/wire/send-request.js'
import { toTarget } from '../../../src/conformance/wire/target.js'
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
