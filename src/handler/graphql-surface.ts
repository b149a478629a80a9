import { isRequestError, type RequestError } from '../graphql/errors/request-error.js'
import { formatFieldErrors } from '../graphql/errors/format-errors.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Result } from '../graphql/execute/result.js'
import type { HttpResponse } from '../http/message.js'
import { bringsCredentials, forClientOnly } from '../http/storing.js'
import type { Refusal } from '../over-http/refusals.js'
import type { ParamsReader, UrlReader } from '../over-http/request/read-params.js'
import type { Encoding } from '../over-http/response/choose-encoding.js'
import type { Caching } from '../over-http/response-types.js'
import {
  checkLength,
  refuse,
  describeRefusal,
  toError,
  reject,
  respond,
} from '../over-http/response/respond.js'
import type { Batches } from './batch.js'
import { HttpSurface } from './http-surface.js'
import type { Facts } from './road/facts.js'
import type { Stop } from './road/road.js'
import { type ResponseCaching } from './steps/cache-response.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { createIncrementalProgram } from './steps/incremental-program.js'
import { SubscriptionProgram, type SubscriptionKit } from './steps/program.js'
import { extendResult, formatRejection } from './steps/describe-reply.js'
import { greetBrowser, type IdeServer } from './steps/serve-ide.js'
import { formatOf, respondInParts, respondWithStream } from './steps/stream-response.js'

/** What the requests of an endpoint of GraphQL share. */
export interface GraphQLTools extends EndpointTools, SubscriptionKit {
  readonly serveIde: IdeServer | undefined
  readonly readUrl: UrlReader
  readonly readParams: ParamsReader
  readonly batches: Batches | undefined
  readonly addCaching: ResponseCaching | undefined
}

/** What a request is refused for that asks for nothing: others have a reason that a page would hide. */
const isOfOpening = new Set(['method-not-allowed', 'not-acceptable', 'invalid-parameter'])

/** Responds to a request as the GraphQL over HTTP specification says. */
export class GraphQLSurface extends HttpSurface<Stop, GraphQLTools> {
  declare readonly tools: GraphQLTools
  declare readonly facts: Facts
  readonly encoding: Encoding

  constructor(encoding: Encoding, tools: GraphQLTools, facts: Facts) {
    super(tools, facts)
    this.encoding = encoding
  }

  toResponse(why: Stop): HttpResponse {
    return isRequestError(why) ? this.#reject(why) : this.#refuse(why)
  }

  #refuse(refusal: Refusal): HttpResponse {
    const details = describeRefusal(refusal, this.tools.settings.edition)
    const error = toError(details)
    this.facts.errors = [error]
    this.facts.hasData = false
    const response = refuse(details, error, this.encoding)
    return isOfOpening.has(refusal.kind) ? greetBrowser(this.facts.head, response) : response
  }

  #reject(error: RequestError): HttpResponse {
    const { settings } = this.tools
    const facts = this.facts
    facts.errors = formatRejection(error, settings, facts)
    const type = facts.operation?.operation
    return reject(error, facts.errors, type, this.encoding, settings.edition)
  }

  respond(result: Result, operation: Operation): HttpResponse | Promise<HttpResponse> {
    const { settings, streams, addCaching } = this.tools
    const facts = this.facts
    facts.hasData = true
    if (result.kind === 'events') {
      const program = new SubscriptionProgram(result, facts, this.tools)
      return respondWithStream(program, formatOf(this.encoding), facts, settings, streams)
    }
    if (result.kind === 'incremental') {
      const program = createIncrementalProgram(result, operation, this.tools, facts)
      return respondInParts(program, this.encoding, facts, settings, streams)
    }
    const { operation: type, name } = operation.definition
    if (result.errors.length > 0) {
      facts.errors = formatFieldErrors(result.errors, name?.value, settings, facts)
    }
    const { errors } = facts
    // A response to a mutation must not be stored, nor one with errors, which may be gone the next time.
    const caching = type === 'query' && errors.length === 0 ? this.#caching() : 'no-store'
    const extended =
      settings.responseExtensions.length === 0
        ? result
        : extendResult(result, errors, settings, facts)
    const response = respond(extended, errors, caching, this.encoding, settings.edition)
    checkLength(response.body, name?.value, settings)
    return addCaching === undefined ? response : addCaching(response, this.encoding, facts)
  }

  #caching(): Caching {
    const { head } = this.facts
    if (head.method === 'POST') return 'unsaid'
    const isPersonal = this.tools.settings.isPersonal || bringsCredentials(head.headers)
    return isPersonal ? forClientOnly : 'no-cache'
  }
}
