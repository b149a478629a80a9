import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { Cancellation } from './engine/cancellation.js'
import type { GraphQLParams } from './engine/params.js'
import type { Operation } from './engine/prepare.js'
import { rootFields } from './engine/root-fields.js'
import { fieldValue, type RequestHead } from './http/message.js'
import { ResponseHeaders } from './http/response-headers.js'

/**
 * What user functions get to know of a request whose operation is about to run. It is also the
 * context value of resolvers where no `context` option makes another. What costs something is made
 * when it is first read.
 */
export class OperationRequest<Raw = unknown, Principal = unknown> {
  readonly head: RequestHead<Raw>
  /** What `authenticate` gave. */
  readonly principal: Principal
  readonly #operation: Operation
  readonly #cancellation: Cancellation
  #responseHeaders: ResponseHeaders | undefined
  #rootFields: readonly string[] | undefined

  constructor(
    head: RequestHead<Raw>,
    principal: Principal,
    operation: Operation,
    cancellation: Cancellation,
  ) {
    this.head = head
    this.principal = principal
    this.#operation = operation
    this.#cancellation = cancellation
  }

  /** The checked parameters of the request, `extensions` among them. */
  get params(): GraphQLParams {
    return this.#operation.params
  }

  /** The schema of the request. */
  get schema(): GraphQLSchema {
    return this.#operation.schema
  }

  /** The definition of the operation that was selected. */
  get operation(): OperationDefinitionNode {
    return this.#operation.definition
  }

  /** The root fields by name, one for each time that the operation asks for it under another alias. */
  get rootFields(): readonly string[] {
    return (this.#rootFields ??= rootFields(this.operation, this.#operation.document.fragments))
  }

  /** What the operation may cost: 1 for each field, times the sizes of the lists around it. */
  get cost(): number {
    return this.#operation.cost
  }

  /** Fires when the client goes away or time is up: pass it on to whatever takes an AbortSignal. */
  get signal(): AbortSignal {
    return this.#cancellation.signal
  }

  /** Headers and cookies of the answer, open to resolvers as long as the operation runs. */
  get responseHeaders(): ResponseHeaders {
    return (this.#responseHeaders ??= new ResponseHeaders())
  }

  /** The response headers if anybody has touched them. */
  get touchedHeaders(): ResponseHeaders | undefined {
    return this.#responseHeaders
  }

  /** The value of a request header, its lines joined by commas. */
  header(name: string): string | undefined {
    return fieldValue(this.head.headers, name.toLowerCase())
  }
}
