import { randomUUID } from 'node:crypto'
import { isStream, type Flow, type Sink } from '../../../../src/http/message.js'
import { field, isMap, mapOf, splitUrl, withField } from './around.js'
import type { Around, Next, Request, Response } from './defect.js'

/** The field that has the token of a reservation. */
const tokenField = 'x-graphql-event-stream-token'

interface Reservation {
  sink: Sink | undefined
  readonly flows: Map<string, Flow>
}

const plain = (status: number, body = ''): Response => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})

/** The single connection mode of GraphQL over SSE, around a handler of distinct connections. */
export function singleMode(): Around {
  const reservations = new Map<string, Reservation>()
  return (given, next) => {
    if (given.method === 'PUT') {
      const token = randomUUID()
      reservations.set(token, { sink: undefined, flows: new Map() })
      return plain(201, token)
    }
    const token = field(given, tokenField)
    if (token === undefined) return next(given)
    const reservation = reservations.get(token)
    if (reservation === undefined) return plain(404)
    if (given.method === 'GET') return open(reservation)
    if (given.method === 'POST') return run(reservation, given, next)
    reservation.flows.get(splitUrl(given)[1].get('operationId') ?? '')?.gone()
    return plain(200)
  }
}

function open(reservation: Reservation): Response {
  if (reservation.sink !== undefined) return plain(409)
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: {
      discard() {},
      open(sink) {
        reservation.sink = sink
        sink.write(':\n\n')
        const gone = (): void => {
          for (const flow of reservation.flows.values()) flow.gone()
        }
        return { resume() {}, gone, shutDown: gone }
      },
    },
  }
}

/** Sends the events of an operation on the stream of its reservation. */
async function run(reservation: Reservation, given: Request, next: Next) {
  const { extensions } = mapOf(given)
  const id = isMap(extensions) ? String(extensions['operationId']) : ''
  const { body } = await next(withField(given, 'accept', 'text/event-stream'))
  const write = (text: string): boolean => {
    const events = text.matchAll(/event: (\w+)\ndata:(.*)\n/g)
    for (const [, name, data = ''] of events) {
      const payload = data === '' ? '' : `,"payload":${data}`
      reservation.sink?.write(`event: ${name}\ndata: {"id":${JSON.stringify(id)}${payload}}\n\n`)
    }
    return true
  }
  if (typeof body === 'object' && isStream(body)) {
    reservation.flows.set(id, body.open({ write, end() {}, cut() {} }))
  } else write(String(body))
  return plain(202)
}
