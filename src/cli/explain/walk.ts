import type { IncomingMessage } from 'node:http'
import { createCheckedEndpoint } from '../../handler/handler.js'
import { beginFacts, type Facts, type Step } from '../../handler/road/facts.js'
import type { HttpResponse, RequestHead } from '../../http/index.js'
import { defaultEdition, findEdition, type EditionName } from '../../over-http/editions.js'
import type { PlannedOptions } from '../serve/flags/apply-plan.js'

export interface Walk {
  readonly head: RequestHead
  readonly body: Uint8Array | undefined
  readonly edition: EditionName
  /** The facts after each step that ran. */
  readonly ran: readonly Facts[]
  readonly response: HttpResponse
  readonly bugs: readonly unknown[]
}

/** Sends a request through the handler of these options. Imports nothing of Node: the site's playground does it, too. */
export async function walk(
  caller: string,
  options: PlannedOptions,
  head: RequestHead<IncomingMessage>,
  body: Uint8Array | undefined,
): Promise<Walk> {
  const ran: Facts[] = []
  const bugs: unknown[] = []
  const { handler } = createCheckedEndpoint(
    caller,
    { ...options, onBug: (bug) => void bugs.push(bug) },
    { begin: (asking, startedAt) => watchSteps(beginFacts(asking, startedAt), ran) },
  )
  const content = body ?? new Uint8Array(0)
  const response = await handler({ ...head, body: { read: () => content } })
  const edition = findEdition(options.edition)?.name ?? defaultEdition
  return { head, body, edition, ran, response, bugs }
}

/** Facts that are copied after each step, since later steps add to them. */
function watchSteps(facts: Facts, ran: Facts[]): Facts {
  let at = facts.at
  ran.push(facts)
  Object.defineProperty(facts, 'at', {
    enumerable: true,
    get: () => at,
    set(next: Step) {
      if (next === at) return
      ran.splice(-1, 1, { ...facts }, facts)
      at = next
    },
  })
  return facts
}
