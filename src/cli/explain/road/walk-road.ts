import { createCheckedEndpoint } from '../../../handler/handler.js'
import { beginFacts, type Facts, type Step } from '../../../handler/road/facts.js'
import type { Incoming } from '../../../hosts/node/exchange/incoming.js'
import { isStream, type HttpResponse, type RequestHead } from '../../../http/message.js'
import type { Options } from '../../../index.js'

/** A request for the handler. */
export interface RoadRequest {
  readonly head: RequestHead<Incoming>
  readonly body: Uint8Array | undefined
}

/** A step that ran, and what was known behind it. */
export interface Ran {
  readonly name: Step
  readonly facts: Facts
}

/** What was seen of a request. */
export interface Walk {
  readonly ran: readonly Ran[]
  readonly response: HttpResponse
  readonly bugs: readonly unknown[]
}

/** Sends a request through the handler of the options, and watches its steps. */
export async function walkRoad(
  caller: string,
  options: Options<Incoming>,
  { head, body }: RoadRequest,
): Promise<Walk> {
  const bugs: unknown[] = []
  const ran: Ran[] = []
  let end: (() => void) | undefined
  const { handler } = createCheckedEndpoint<Incoming, unknown>(
    caller,
    { ...options, onBug: (bug) => void bugs.push(bug) },
    {
      begin(asked, startedAt) {
        const watched = watchSteps(beginFacts(asked, startedAt), ran)
        end = watched.end
        return watched.facts
      },
    },
  )
  const content = body ?? new Uint8Array(0)
  const response = await handler({ ...head, body: { read: () => content } })
  end?.()
  if (isStream(response.body)) response.body.discard()
  return { ran, response, bugs }
}

/** Facts that note each step once it is over: what later steps add is not what it saw. */
function watchSteps(facts: Facts, ran: Ran[]): { readonly facts: Facts; readonly end: () => void } {
  let at = facts.at
  const end = (): void => void ran.push({ name: at, facts: { ...facts } })
  Object.defineProperty(facts, 'at', {
    enumerable: true,
    get: () => at,
    set(next: Step) {
      if (next === at) return
      end()
      at = next
    },
  })
  return { facts, end }
}
