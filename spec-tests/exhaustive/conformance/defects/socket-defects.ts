import { isMap } from './around.js'
import type { DefectTable, Layers } from './defect.js'
import { closeCode, closing, ignoring } from './frame-defects.js'
// oxfmt-ignore
import { frames, fromClient, fromServer, hears, hearsAndSays, jsonOf, opcodeOf, say, says, text, type Message, type Middle, type Rule } from './sockets.js'

const isType =
  (type: string) =>
  (message: Message): boolean =>
    message['type'] === type
const isInit = isType('connection_init'),
  isAck = isType('connection_ack'),
  isSubscribe = isType('subscribe'),
  isComplete = isType('complete')
const isNext = isType('next'),
  isError = isType('error'),
  isPing = isType('ping'),
  isPong = isType('pong')
const isList = ({ payload }: Message): boolean => Array.isArray(payload)
const payloadOf = ({ payload }: Message): Message => (isMap(payload) ? payload : {})

/** Does something for the messages that a test is true for, and drops what it does not return. */
const on =
  (test: (message: Message, middle: Middle) => boolean, rule: Rule): Rule =>
  (message, middle) =>
    test(message, middle) ? rule(message, middle) : message
const drop: Rule = () => undefined
const closeWith =
  (code: number): Rule =>
  (_, { close }) => {
    close(code)
    return undefined
  }
/** Ignores a message that should close the socket. */
const ignore = (test: (message: Message, middle: Middle) => boolean): Layers =>
  hears(on(test, drop))
/** Closes the socket for a message that is allowed. */
const refuse = (test: (message: Message, middle: Middle) => boolean, code = 4400): Layers =>
  hears(on(test, closeWith(code)))
const twice: Rule = (message, middle) => {
  say(middle, message)
  return message
}
const otherCode = (from: number, to: number): Layers =>
  fromServer((frame) =>
    closing(frame) && frame.payload.length > 1 && closeCode(frame) === from
      ? { ...frame, payload: String.fromCharCode(to >> 8, to & 255) + frame.payload.slice(2) }
      : frame,
  )
/** Ignores text of the client that is no message. */
const ignoreText = (test: (read: unknown) => boolean): Layers =>
  ignoring((frame) => frame.first === 0x81 && test(jsonOf(frame)))
const queryOf = (message: Message): string => String(payloadOf(message)['query'])
const begins =
  (word: string) =>
  (message: Message): boolean =>
    isSubscribe(message) && queryOf(message).startsWith(word)
const otherPayload =
  (change: (payload: Message) => Message): Rule =>
  (message) => ({ ...message, payload: change(payloadOf(message)) })
const refused: Rule = ({ id }, middle) => {
  say(middle, { id, type: 'error', payload: [{ message: 'Refused.' }] })
  return undefined
}

/** Remembers ids: of operations that run, and of those that are over. */
const starts: Rule = (message, { seen }) => {
  if (isSubscribe(message)) seen.set(message['id'], queryOf(message))
  return message
}
const isRunning = (message: Message, { seen }: Middle): boolean =>
  isSubscribe(message) && seen.has(message['id'])
/** A rule for messages with ids of operations, remembered from the first message on. */
const remembering =
  (test: (message: Message, middle: Middle) => boolean, rule: Rule): Rule =>
  (message, middle) =>
    test(message, middle) ? rule(message, middle) : starts(message, middle)

/** Holds the results of each operation until it is complete. */
const holding = (change: (results: readonly Message[]) => readonly Message[]): Layers =>
  says((message, middle) => {
    const results = (middle.seen.get(message['id']) ?? []) as readonly Message[]
    if (isNext(message)) {
      middle.seen.set(message['id'], [...results, message])
      return undefined
    }
    if (isComplete(message)) for (const one of change(results)) say(middle, one)
    return message
  })

/** What can be wrong with the messages of a WebSocket. */
// oxfmt-ignore
export const socketDefects: DefectTable = {
  'ws-ack-missing': ['connection_init is not acknowledged.', 'ws.init.ack', says(on(isAck, drop))],
  'ws-ack-twice': ['connection_init is acknowledged twice.', 'ws.init.ack', says(on(isAck, twice))],
  'ws-ack-payload-list': ['The payload of connection_ack is a list.', 'ws.init.ack', says(on(isAck, (message) => ({ ...message, payload: [] })))],
  'ws-ack-unasked': ['The connection is acknowledged before connection_init.', 'ws.init.unasked', frames({}, (middle) => say(middle, { type: 'connection_ack' }))],
  'ws-init-payload-refused': ['connection_init must not have a payload.', 'ws.init.payload', refuse((message) => isInit(message) && message['payload'] != null)],
  'ws-init-null-refused': ['The payload of connection_init must not be null.', 'ws.init.payload-null', refuse((message) => isInit(message) && message['payload'] === null)],
  'ws-init-list-accepted': ['The payload of connection_init may be a list.', 'ws.init.payload-list', hears(on((message) => isInit(message) && isList(message), () => ({ type: 'connection_init' })))],
  'ws-init-refused-4401': ['A connection that is refused is closed with 4401.', 'ws.init.refused', refuse((message) => isInit(message) && 'Authorization' in payloadOf(message), 4401)],
  'ws-init-time-out-4400': ['A socket without connection_init is closed with 4400.', 'ws.init.none', otherCode(4408, 4400)],
  'ws-init-unlimited': ['connection_init may never come.', 'ws.init.none', fromServer((frame) => (closing(frame) ? undefined : frame))],
  'ws-init-twice-accepted': ['Every connection_init is acknowledged.', 'ws.init.twice', hears(on(isInit, (message, middle) => {
    if (middle.seen.has('init')) { say(middle, { type: 'connection_ack' }); return undefined }
    middle.seen.set('init', true)
    return message }))],
  'ws-init-twice-pending': ['A connection_init before the acknowledgement is ignored.', 'ws.init.twice-pending', ignore((message, { seen }) => { const isSecond = isInit(message) && seen.has('init'); if (isInit(message)) seen.set('init', true); return isSecond })],
  'ws-ping-ignored': ['A ping gets no pong.', 'ws.ping.payload ws.ping.before-ack', ignore(isPing)],
  'ws-ping-needs-init': ['A ping before connection_init closes the socket.', 'ws.ping.before-ack', hears((message, middle) => { if (isInit(message)) middle.seen.set('init', true); return isPing(message) && !middle.seen.has('init') ? closeWith(4401)(message, middle) : message })],
  'ws-ping-list-accepted': ['The payload of a ping may be a list.', 'ws.ping.payload-list', ignore((message) => isPing(message) && isList(message))],
  'ws-pong-empty': ['A pong has not the payload of its ping.', 'ws.ping.payload', says(on(isPong, () => ({ type: 'pong' })))],
  'ws-pong-refused': ['A pong that nobody asked for closes the socket.', 'ws.pong.unsolicited', refuse(isPong)],
  'ws-init-not-needed': ['Operations are executed without connection_init.', 'ws.subscribe.before-ack', hears((message, middle) => {
    if (!isInit(message) && !middle.seen.has('init')) middle.toServer(text('{"type":"connection_init"}'))
    middle.seen.set('init', true)
    return message })],
  'ws-json-unchecked': ['A message that is not JSON is ignored.', 'ws.message.json', ignoreText((read) => read === undefined)],
  'ws-list-ignored': ['A message that is not an object is ignored.', 'ws.message.list ws.message.null', ignoreText((read) => read !== undefined && !isMap(read))],
  'ws-type-ignored': ['A message of an unknown type is ignored.', 'ws.message.type ws.message.type-missing', ignore(({ type }) => !types.includes(String(type)))],
  'ws-type-inherited': ['The type constructor is known.', 'ws.message.prototype', ignore(isType('constructor'))],
  'ws-server-types': ['A message that only servers send is ignored.', 'ws.message.of-servers', ignore((message) => isNext(message) || isError(message) || isAck(message))],
  'ws-binary-accepted': ['A binary message is read as text.', 'ws.message.binary', fromClient((frame) => (opcodeOf(frame) === 2 ? { ...frame, first: 0x81 } : frame))],
  'ws-operations-unlimited': ['A socket may have any number of operations.', 'ws.limit.subscribes', { options: { websocket: { connectionInitTimeout: 1000, maxStreamsPerSocket: 100_000, messageBurst: 100_000 } } }],
  'ws-complete-missing': ['complete never comes.', 'ws.subscribe.query ws.subscribe.mutation', says(on(isComplete, drop))],
  'ws-result-twice': ['The result of a query comes twice.', 'ws.subscribe.query', says(on(isNext, twice))],
  'ws-messages-binary': ['The messages of the server are binary.', 'ws.subscribe.messages', fromServer((frame) => (opcodeOf(frame) === 1 ? { ...frame, first: 0x82 } : frame))],
  'ws-query-refused': ['A query is refused.', 'ws.queries', hears(on((message) => isSubscribe(message) && !/^(?:mutation|subscription)/.test(queryOf(message)), refused))],
  'ws-mutation-refused': ['A mutation is refused.', 'ws.subscribe.mutation', hears(on(begins('mutation'), refused))],
  'ws-name-ignored': ['operationName is ignored.', 'ws.subscribe.variables', hears(on(isSubscribe, otherPayload((payload) => ({ ...payload, operationName: undefined }))))],
  'ws-null-refused': ['An optional member must not be null.', 'ws.subscribe.null-members', refuse((message) => isSubscribe(message) && Object.values(payloadOf(message)).includes(null))],
  'ws-errors-in-next': ['Request errors are next and complete.', 'ws.subscribe.validation ws.subscribe.syntax', says(on(isError, ({ id, payload }, middle) => { say(middle, { id, type: 'next', payload: { errors: payload } }); return { id, type: 'complete' } }))],
  'ws-error-object': ['The payload of error is an object.', 'ws.subscribe.validation', says(on(isError, (message) => ({ ...message, payload: (message['payload'] as unknown[])[0] })))],
  'ws-error-then-complete': ['complete follows error.', 'ws.subscribe.validation ws.source-error ws.refused', says(on(isError, (message, middle) => { say(middle, message); return { id: message['id'], type: 'complete' } }))],
  'ws-error-closes': ['A request error closes the socket.', 'ws.subscribe.validation ws.subscribe.syntax', says(on(isError, closeWith(4400)))],
  'ws-coercion-unanswered': ['A variable of the wrong type gets no answer.', 'ws.subscribe.coercion', says(on(isError, drop))],
  'ws-duplicate-subscription': ['A subscription with an active id replaces the other.', 'ws.subscribe.duplicate', hears(remembering(isRunning, drop))],
  'ws-duplicate-query': ['The ids of queries are not kept.', 'ws.subscribe.duplicate-query ws.subscribe.duplicate-pending', hears(remembering(isRunning, drop))],
  'ws-duplicate-4400': ['An active id closes the socket with 4400.', 'ws.subscribe.duplicate ws.subscribe.duplicate-query', otherCode(4409, 4400)],
  'ws-id-kept': ['The ids of completed operations are kept.', 'ws.subscribe.reuse', hears(remembering(isRunning, closeWith(4409)))],
  'ws-id-kept-after-error': ['The ids of failed operations are kept.', 'ws.subscribe.reuse-after-error', hears(remembering(isRunning, closeWith(4409)))],
  'ws-id-kept-while-returning': ['An id is kept until its source has ended.', 'ws.subscribe.reuse-while-returning', hears(remembering(isRunning, closeWith(4409)))],
  'ws-old-complete': ['The end of a source completes the next operation of its id.', 'ws.subscribe.reuse-while-returning', hears(remembering(isRunning, (message, middle) => { say(middle, { id: message['id'], type: 'complete' }); return message }))],
  'ws-ids-inherited': ['Ids are names of a plain object.', 'ws.subscribe.id-constructor', refuse((message) => isSubscribe(message) && String(message['id']) in {}, 4409)],
  'ws-id-number': ['An id may be a number.', 'ws.subscribe.id-number', ignore(({ id }) => typeof id === 'number')],
  'ws-id-missing': ['subscribe needs no id.', 'ws.subscribe.id-missing', ignore((message) => isSubscribe(message) && message['id'] === undefined)],
  'ws-id-empty': ['An id may be empty.', 'ws.subscribe.id-empty', ignore(({ id }) => id === '')],
  'ws-payload-missing': ['subscribe without a payload is ignored.', 'ws.subscribe.payload-missing', ignore((message) => isSubscribe(message) && message['payload'] == null)],
  'ws-query-object': ['The type of query is not checked.', 'ws.subscribe.query-object', hears(on(isSubscribe, otherPayload((payload) => ({ ...payload, query: typeof payload['query'] === 'string' ? payload['query'] : '{' }))))],
  'ws-variables-list': ['Variables may be a list.', 'ws.subscribe.variables-list', hears(on(isSubscribe, otherPayload((payload) => (Array.isArray(payload['variables']) ? { ...payload, variables: {} } : payload))))],
  'ws-unknown-refused': ['Unknown members close the socket.', 'ws.subscribe.unknown-member', refuse((message) => Object.keys(message).length > 3)],
  'ws-order-reversed': ['Events come in the wrong order.', 'ws.subscribe.countdown', holding((results) => results.toReversed())],
  'ws-buffered': ['All results are sent at the end.', 'ws.early', holding((results) => results)],
  'ws-one-at-a-time': ['A further subscription is not served.', 'ws.interleave', ignore((message, { seen }) => { const isFurther = isSubscribe(message) && seen.has('one'); if (isSubscribe(message)) seen.set('one', true); return isFurther })],
  'ws-ids-mixed': ['Every message has the id of the latest operation.', 'ws.interleave', hearsAndSays(
    (message, { seen }) => { if (isSubscribe(message)) seen.set('latest', message['id']); return message },
    (message, { seen }) => ('id' in message ? { ...message, id: seen.get('latest') } : message))],
  'ws-field-error-ends': ['A field error ends the subscription.', 'ws.field-error', says((message, middle) => {
    if (middle.seen.has(message['id'])) return undefined
    if (!isNext(message) || !('errors' in payloadOf(message))) return message
    middle.seen.set(message['id'], true)
    say(middle, message)
    return { id: message['id'], type: 'complete' } })],
  'ws-source-error-complete': ['A source that fails gets complete.', 'ws.source-error', says(on(isError, (message, middle) => { say(middle, message); return { id: message['id'], type: 'complete' } }))],
  'ws-source-error-closes': ['A source that fails closes the socket.', 'ws.source-error.lives', says(on(isError, closeWith(4500)))],
  'ws-refused-unanswered': ['A refused subscription gets no answer.', 'ws.refused', says(on(isError, drop))],
  'ws-complete-ignored': ['The complete of the client is ignored.', 'ws.complete.stops', ignore(isComplete)],
  'ws-complete-echoed': ['The complete of the client is answered.', 'ws.complete.no-echo', hears(on(isComplete, twice))],
  'ws-late-result': ['The result of a completed query is sent.', 'ws.complete.before-result', ignore(isComplete)],
  'ws-late-complete-refused': ['complete for a completed operation closes the socket.', 'ws.complete.twice', hearsAndSays(
    on((message, { seen }) => isComplete(message) && seen.has(message['id']), closeWith(4400)),
    (message, { seen }) => { if (isComplete(message)) seen.set(message['id'], true); return message })],
  'ws-unknown-id-refused': ['complete for an unknown id closes the socket.', 'ws.complete.unknown-id ws.complete.twice', hearsAndSays(
    remembering((message, { seen }) => isComplete(message) && !seen.has(message['id']), closeWith(4400)),
    (message, { seen }) => { if (isComplete(message)) seen.delete(message['id']); return message })],
  'ws-source-kept-waiting': ['The complete of the client closes a source only behind its next event.', 'ws.complete.returns', ignore(isComplete)],
  'ws-source-kept': ['Sources are kept when the socket is closed.', 'ws.close-returns ws.close-returns.cut', { keepsBehind: true, ...fromClient((frame, { close }) => { if (!closing(frame)) return frame; close(1000); return undefined }) }],
  'ws-source-kept-cut': ['Sources are kept when the socket is cut off.', 'ws.close-returns.cut', { keepsBehind: true }],
}

const types = 'connection_init connection_ack ping pong subscribe next error complete'.split(' ')
