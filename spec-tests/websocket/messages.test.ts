import t from 'tap'
import { closeRows, cutReason, toCloseFrame } from '../../src/websocket/close-reasons.js'
import { readMessage } from '../../src/websocket/messages.js'
import { MessageRate } from '../../src/websocket/socket.js'

const rules = { maxJsonNesting: 8, needsQuery: true }
const id = 'x'.repeat(128)

// oxfmt-ignore
const accepted: readonly [text: string, message: object][] = [
  ['{"type":"connection_init"}',                       { type: 'connection_init', payload: undefined }],
  ['{"type":"connection_init","payload":null}',        { type: 'connection_init', payload: undefined }],
  ['{"type":"connection_init","payload":{"a":[1]}}',   { type: 'connection_init', payload: { a: [1] } }],
  ['{"type":"ping","payload":{"a":1},"x":1}',          { type: 'ping', payload: { a: 1 } }],
  ['{"type":"pong","payload":{"a":1}}',                { type: 'pong' }],
  ['{"type":"complete","id":"1"}',                     { type: 'complete', id: '1' }],
  [`{"type":"complete","id":"${id}"}`,                 { type: 'complete', id }],
  ['{"type":"complete","id":"constructor"}',           { type: 'complete', id: 'constructor' }],
  ['{"type":"subscribe","id":"1","payload":{"query":""}}', { type: 'subscribe', id: '1', payload: { query: '' } }],
  ['{"type":"subscribe","id":"1","payload":{"query":"","operationName":null,"variables":null,"extensions":null}}', { type: 'subscribe', id: '1' }],
  ['{"type":"subscribe","id":"1","payload":{"query":"","operationName":"a","variables":{},"extensions":{},"x":1}}', { type: 'subscribe', id: '1' }],
]
for (const [text, message] of accepted) {
  void t.test(`${text} is a message`, async (t) => {
    t.match(readMessage(text, rules), { ok: true, value: message })
  })
}

void t.test('a request may name a stored document, where there are any', async (t) => {
  const naming = { ...rules, needsQuery: false }
  const payload = { documentId: 'a' }
  const message = { type: 'subscribe', id: '1', payload }
  t.match(readMessage(subscribe('{"documentId":"a"}'), naming), { ok: true, value: message })
  t.match(readMessage(subscribe('{"documentId":"a","query":null}'), naming), { ok: true })
  t.match(readMessage(subscribe('{"documentId":"a","query":1}'), naming), { ok: false })
})

const subscribe = (payload: string): string => `{"type":"subscribe","id":"1","payload":${payload}}`

// oxfmt-ignore
const refused: readonly [text: string, reason: RegExp][] = [
  ['',                                                 /must be JSON/],
  ['{"type":"ping"',                                   /must be JSON/],
  ['\ufeff{"type":"ping"}',                            /must be JSON/],
  ['[{"type":"ping"}]',                                /must be a JSON object/],
  ['null',                                             /must be a JSON object/],
  ['"ping"',                                           /must be a JSON object/],
  ['{}',                                               /type/],
  ['{"type":1}',                                       /type/],
  ['{"type":"start"}',                                 /type/],
  ['{"type":"next","id":"1","payload":{}}',            /type/],
  ['{"type":"connection_ack"}',                        /type/],
  ['{"type":"toString"}',                              /type/],
  ['{"__proto__":{"type":"ping"}}',                    /type/],
  ['{"type":"connection_init","payload":[]}',          /payload of connection_init must be an object/],
  ['{"type":"connection_init","payload":"token"}',     /payload of connection_init must be an object/],
  ['{"type":"ping","payload":1}',                      /payload of ping/],
  ['{"type":"pong","payload":false}',                  /payload of pong/],
  ['{"type":"complete"}',                              /id of complete/],
  ['{"type":"complete","id":1}',                       /id of complete/],
  ['{"type":"complete","id":""}',                      /id of complete/],
  ['{"type":"complete","id":null}',                    /id of complete/],
  [`{"type":"complete","id":"${id}x"}`,                /at most 128 characters/],
  ['{"type":"subscribe","payload":{"query":""}}',      /id of subscribe/],
  ['{"type":"subscribe","id":"1"}',                    /payload of subscribe must be an object/],
  [subscribe('"{a}"'),                                 /payload of subscribe must be an object/],
  [subscribe('{}'),                                    /query of subscribe must be a string/],
  [subscribe('{"query":{"kind":"Document"}}'),         /query of subscribe must be a string/],
  [subscribe('{"query":"","operationName":1}'),        /operationName of subscribe/],
  [subscribe('{"query":"","variables":[]}'),           /variables of subscribe/],
  [subscribe('{"query":"","extensions":"a"}'),         /extensions of subscribe/],
  ['{"type":"ping","payload":{"a":[[[[[[[1]]]]]]]}}',  /nest deeper than 8/],
]
for (const [text, reason] of refused) {
  void t.test(`${JSON.stringify(text)} is no message`, async (t) => {
    t.match(readMessage(text, rules), { ok: false, reason })
  })
}

void t.test('reasons fit into a close frame, and are cut between characters', async (t) => {
  t.equal(cutReason('short'), 'short')
  t.equal(cutReason('é'.repeat(100)), 'é'.repeat(61))
  t.equal(cutReason('a'.repeat(122) + '😀'), 'a'.repeat(122))
  t.equal(cutReason('😀'.repeat(40)), '😀'.repeat(30))
  t.equal(toCloseFrame('duplicate-id', '名'.repeat(128)).code, 4409)
  for (const kind of Object.keys(closeRows) as (keyof typeof closeRows)[]) {
    const { reason } = toCloseFrame(kind, '名'.repeat(200))
    t.ok(reason !== '' && Buffer.byteLength(reason) <= 123, kind)
  }
})

void t.test('a bucket of messages', async (t) => {
  const rate = new MessageRate(3, 3, 0)
  for (const isSpent of [false, false, false, true, true]) {
    t.equal(rate.covers(1), !isSpent)
    rate.take()
  }
  // There are -2 now.
  rate.refill(900)
  t.notOk(rate.covers(1))
  rate.refill(1000)
  t.ok(rate.covers(1), 'one is enough')
  rate.refill(100_000)
  t.same([rate.covers(3), rate.covers(4)], [true, false])
  for (let count = 0; count < 3; count += 1) rate.take()
  t.notOk(rate.covers(1), 'there are never more than the burst')
})
