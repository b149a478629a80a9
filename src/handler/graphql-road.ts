import type { Outcome } from '../base/outcome.js'
import { isPromise } from '../base/promise.js'
import type { ExecutionInput } from '../graphql/execute/arguments.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { BodyChunks, HttpResponse, ParsedJson, Request } from '../http/message.js'
import type { Refusal } from '../over-http/refusals.js'
import {
  checkFraming,
  checkGet,
  checkOperation,
  checkRequestLine,
} from '../over-http/request/check-head.js'
import { readJsonBody } from '../over-http/request/read-body.js'
import { describeMethods } from '../over-http/response/respond.js'
import type { GraphQLSurface, GraphQLTools } from './graphql-surface.js'
import { stop, wait, type Road } from './road/road.js'
import { asIs } from './steps/around.js'
import { identify } from './steps/ask-hook.js'
import { noRoom } from './steps/endpoint-tools.js'
import { checkRoom, prepare } from './steps/prepare.js'
import { receiveBody, type Received } from './steps/receive-body.js'
import { executeToReply, runWith } from './steps/run.js'
import { describeStream, formatOf, formatOfParts } from './steps/stream-response.js'

/**
 * GraphQL over HTTP, from the first check of a head to the response. The cheapest refusals come first, and the body is
 * read only after the head was accepted. A check of the headers of all surfaces belongs in `checkFraming`, one of GraphQL over HTTP
 * is a line here, and one of what describes a body belongs in `checkContent`, or `checkHead` of uploads for one with files.
 *
 * `stop` ends the road with a refusal, and so do steps that can refuse, such as `identify`. Wherever the road waits (`yield*`), the
 * driver ends it if the client leaves or the time is up: the signal of resolvers fires, no later line runs, and only `finally` blocks
 * do. If the time is up, the client gets 503; for one that left, hooks see 499. Synchronous resolvers cannot be interrupted.
 * `facts.at` names the step for reports of bugs and traces.
 */
export function* graphqlRoad(request: Request, surface: GraphQLSurface): Road<HttpResponse> {
  const { tools, facts } = surface
  const { settings, serveIde, gate } = tools
  const { head } = facts
  const faulty = checkFraming(head, settings)
  if (faulty !== undefined) return yield* stop(faulty)

  // Preflights and browsers that open the page send no credentials.
  facts.at = 'options'
  if (head.method === 'OPTIONS') {
    const asked = checkRequestLine(head, settings)
    return asked.ok ? describeMethods(settings.methods) : yield* stop(asked.reason)
  }
  if (serveIde !== undefined) {
    facts.at = 'ide'
    const page = serveIde(head)
    if (page !== undefined) return page
  }
  if (settings.credentialsFirst) yield* identify(tools, facts)

  facts.at = 'requestLine'
  const line = checkRequestLine(head, settings)
  if (!line.ok) return yield* stop(line.reason)

  // Nothing runs if the client cannot read the response.
  facts.at = 'accept'
  if (!surface.encoding.acceptable) return yield* stop({ kind: 'not-acceptable' })

  facts.at = 'content'
  const isUrl = line.value === 'url'
  const form = isUrl ? undefined : settings.uploads?.checkHead(head, settings.maxBodyBytes)
  if (form?.ok === false) return yield* stop(form.reason)
  // Undefined if the request has no files.
  const boundary = form?.value
  if (boundary === undefined) {
    const unfit = isUrl ? checkGet(head, settings) : tools.checkContent(head)
    if (unfit !== undefined) return yield* stop(unfit)
  }
  // By default the credentials are asked for here, once all of the head was accepted: 401 or 403, or 503 under load.
  if (!settings.credentialsFirst) yield* identify(tools, facts)

  if (isUrl) {
    facts.at = 'url'
    return yield* fromJson(tools.readUrl(head.target), surface)
  }
  facts.at = 'body'
  const body = yield* boundary === undefined
    ? receiveBody(request, settings.maxBodyBytes, gate)
    : receiveParts(request, tools)
  // The host has no room for it, or it came in too many chunks.
  if ('refused' in body) return body.refused
  // A middleware may have parsed the parts and put the files into the parameters.
  if (boundary !== undefined && !('json' in body)) {
    return yield* fromUpload(body, boundary, surface)
  }
  const received = body as Uint8Array | ParsedJson
  const read = readJsonBody(received, facts, settings, request.body?.hold)
  return yield* fromJson(isPromise(read) ? yield* wait(read) : read, surface)
}

/** A body with files is read as it arrives, with the limits of uploads; if the host cannot do that, it is received as a whole. */
function* receiveParts(
  request: Request,
  { settings, gate }: GraphQLTools,
): Road<BodyChunks | Received, Refusal> {
  const maxBytes = settings.maxBodyBytes + (settings.uploads?.maxTotalBytes ?? 0)
  return request.body?.chunks?.() ?? (yield* receiveBody(request, maxBytes, gate))
}

/** A request with files, whose operation runs while they arrive. Nothing is read once there is a response. */
function* fromUpload(
  content: BodyChunks | Uint8Array,
  boundary: string,
  surface: GraphQLSurface,
): Road<HttpResponse> {
  const { tools, facts } = surface
  const { settings } = tools
  const uploads = settings.uploads as NonNullable<typeof settings.uploads>
  const client = settings.clientOf(facts.head)
  const upload = uploads.read({ ...settings, boundary, content, client })
  if (upload === undefined) return yield* stop({ kind: 'overloaded', by: 'uploads' })
  facts.timeout = uploads.timeout
  try {
    return yield* fromJson(yield* wait(upload.json), surface)
  } finally {
    upload.close(facts.cancellation.reason as Error | undefined)
  }
}

/** The JSON of a request is a batch, or the parameters of one operation. */
function* fromJson(read: Outcome<unknown, Refusal>, surface: GraphQLSurface): Road<HttpResponse> {
  const { tools, facts } = surface
  const { engine, batches } = tools
  const { head } = facts
  if (!read.ok) return yield* stop(read.reason)
  const json = read.value
  if (batches?.takes(json, head) === true) return yield* batches.run(json, facts)
  const operation = yield* prepare(tools.readParams(json, head), tools, facts)

  facts.at = 'check'
  const misplaced =
    checkOperation(head.method, operation, surface.encoding, tools.settings) ??
    checkRoom(operation, head, surface.encoding.single !== undefined, tools)
  if (misplaced !== undefined) return yield* stop(misplaced)
  facts.at = 'cost'
  const expensive = engine.checkCost(operation, facts)
  if (expensive !== undefined) return yield* stop(expensive)

  const start = (input: ExecutionInput): Road<HttpResponse> => executeFor(operation, input, surface)
  return yield* runWith({ operation, view: asIs, execute: start }, surface, tools, facts)
}

/** Executes an operation in the way that its client can read. */
function executeFor(
  operation: Operation,
  input: ExecutionInput,
  surface: GraphQLSurface,
): Road<HttpResponse> {
  const { encoding, tools, facts } = surface
  const isHead = facts.head.method === 'HEAD'
  const isSubscription = operation.definition.operation === 'subscription'
  if (isSubscription && isHead) return wait(describeStream(formatOf(encoding)))
  const hasRoom = operation.isIncremental && tools.streams.hasRoomFor(operation, input.client)
  if (operation.isIncremental && !hasRoom && encoding.single === undefined) return stop(noRoom)
  const parts = hasRoom ? encoding.incremental : undefined
  if (parts !== undefined && isHead) return wait(describeStream(formatOfParts(parts)))
  return executeToReply(operation, parts?.format, input, surface, tools, facts)
}
