import { isPromise } from '../../../base/promise.js'
import type { GraphQLExchange } from '../../../handler/graphql-surface.js'
import {
  createCheckedEndpoint,
  type GraphQLStage,
  type StageLists,
  type StageName,
} from '../../../handler/handler.js'
import type { Stop } from '../../../handler/stages/stage.js'
import { isStream, wantsBody, type HttpResponse, type RequestHead } from '../../../http/message.js'
import type { Incoming } from '../../../hosts/node/exchange/incoming.js'
import type { Options } from '../../../index.js'

/** A request for the handler. */
export interface RoadRequest {
  readonly head: RequestHead<Incoming>
  readonly body: Uint8Array | undefined
}

/** A stage that ran, and the exchange as it left it. */
export interface Ran {
  readonly name: StageName
  readonly exchange: GraphQLExchange
  /** Why the stages end here. */
  readonly stop: Stop | undefined
  readonly threw: boolean
}

/** What was seen of a request. */
export interface Walk {
  readonly ran: readonly Ran[]
  readonly notReached: readonly StageName[]
  readonly response: HttpResponse
  readonly bugs: readonly unknown[]
}

/** Sends a request through the handler of the options, and watches its stages. */
export async function walkRoad(
  caller: string,
  options: Options<Incoming>,
  { head, body }: RoadRequest,
): Promise<Walk> {
  const ran: Ran[] = []
  const bugs: unknown[] = []
  let lists: StageLists | undefined
  const { handler } = createCheckedEndpoint<Incoming, unknown>(
    caller,
    { ...options, onBug: (bug) => void bugs.push(bug) },
    options.path,
    (named) => {
      lists = named
      return {
        head: watchAll(named.head, ran),
        body: watchAll(named.body, ran),
        url: watchAll(named.url, ran),
      }
    },
  )
  const reply = await handler(head)
  const response = wantsBody(reply) ? await reply.proceed(body ?? new Uint8Array(0)) : reply
  if (isStream(response.body)) response.body.discard()
  return { ran, notReached: listRest(lists, ran), response, bugs }
}

function watchAll(list: StageLists[keyof StageLists], ran: Ran[]): readonly GraphQLStage[] {
  return Object.entries(list).map(([name, stage]) => watch(name as StageName, stage, ran))
}

function watch(name: StageName, stage: GraphQLStage, ran: Ran[]): GraphQLStage {
  return (exchange) => {
    const done = (stop: Stop | undefined): Stop | undefined => {
      // What later stages add is not what this one saw.
      ran.push({ name, exchange: { ...exchange }, stop, threw: false })
      return stop
    }
    const failed = (bug: unknown): never => {
      ran.push({ name, exchange: { ...exchange }, stop: undefined, threw: true })
      throw bug
    }
    let stop
    try {
      stop = stage(exchange)
    } catch (bug) {
      return failed(bug)
    }
    return isPromise(stop) ? stop.then(done, failed) : done(stop)
  }
}

/** The stages behind the last that ran. A request without a body has those of its URL. */
function listRest(lists: StageLists | undefined, ran: readonly Ran[]): readonly StageName[] {
  const last = ran.at(-1)
  if (lists === undefined || last === undefined) return []
  const head = Object.keys(lists.head) as StageName[]
  const rest = Object.keys(last.exchange.hasBody ? lists.body : lists.url) as StageName[]
  return [...head, ...rest].slice(ran.length)
}

/** Whether a stop is a response, not a reason for one. */
export function isResponse(stop: Stop): stop is HttpResponse {
  return !('kind' in stop)
}
