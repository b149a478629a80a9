import { never, type Transitions } from '../../../base/transitions.js'

/*
 * The life of an HTTP/1.1 connection, as far as it decides which requests are still served.
 *
 *             last              closeSent
 *     open ----------> closing -----------> over
 *      |  <----------     |                  |
 *      |   lastByItself   |                  |
 *      +------------------+------------------+---> faulty ---> refused
 *                                            fault     faultAnswered
 *
 * open      Requests are served, and their responses keep the connection.
 * closing   The newest response will have `Connection: close`, and its head has not been sent. The client may send
 *           more requests before it reads that, and drops everything after a response that closes (RFC 9112
 *           section 9.6). So a request that still arrives is served, and the mark moves to its response.
 * over      That head has been sent. Requests after it are not served.
 * faulty    The parser failed, or the client requested a tunnel. The parser reports each further
 *           byte; one response is enough, and it waits until the responses before it have been sent.
 * refused   That response has been written, or could not be. The socket closes when the client has read it, or
 *           is destroyed a moment later.
 *
 * The events:
 *
 * last           The newest response must be the last: the server drains, or the connection has served as many
 *                requests as it may.
 * lastByItself   The same, but Node closes after that response anyway, since the client asked for it.
 * closeSent      The head of the response that closes has been sent. An event of Node for it would cost time of
 *                each request, so it is noticed when the next request arrives.
 * fault          The parser failed, or CONNECT.
 * faultAnswered  The responses before the fault have been sent.
 *
 * Requests are not events: they change the state nowhere, and an event for each would cost time. Nor is the
 * end of the socket: its connection is then forgotten, in any state. HTTP/2 needs none of this, as its
 * streams do not wait for each other: GOAWAY has been sent or not.
 */
export type ConnectionState = 'open' | 'closing' | 'over' | 'faulty' | 'refused'
export type ConnectionEvent = 'last' | 'lastByItself' | 'closeSent' | 'fault' | 'faultAnswered'

// oxfmt-ignore
export const connectionTransitions: Transitions<ConnectionState, ConnectionEvent> = {
  open:    { last: 'closing', lastByItself: 'open',    closeSent: never,  fault: 'faulty',  faultAnswered: never },
  closing: { last: 'closing', lastByItself: 'open',    closeSent: 'over', fault: 'faulty',  faultAnswered: never },
  over:    { last: 'over',    lastByItself: 'over',    closeSent: never,  fault: 'faulty',  faultAnswered: never },
  faulty:  { last: 'faulty',  lastByItself: 'faulty',  closeSent: never,  fault: 'faulty',  faultAnswered: 'refused' },
  refused: { last: 'refused', lastByItself: 'refused', closeSent: never,  fault: 'refused', faultAnswered: never },
}

/** Whether a request that arrives in a state is served. */
export const servesRequests: { readonly [state in ConnectionState]: boolean } = {
  open: true,
  closing: true,
  over: false,
  faulty: false,
  refused: false,
}
