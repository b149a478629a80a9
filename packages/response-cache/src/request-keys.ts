import { createHash } from 'node:crypto'
import { fieldValue, type OperationRequest } from 'graphwire'
import { aString, checkReturned, isJsonObject } from 'graphwire/base'
import type { ResponseCacheOptions } from './options.js'

/** The keys of requests. No two requests have the same key that could have different responses. */
export class RequestKeys {
  readonly #options: ResponseCacheOptions
  readonly #vary: readonly string[]
  readonly #schemas = new WeakMap<object, string>()

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#vary = (options.vary ?? []).map((name) => name.toLowerCase())
  }

  /** Undefined if no other request may get the response. */
  of(request: OperationRequest, isShared: boolean): string | undefined {
    const { head, params, via } = request
    const { query, operationName, variables } = params
    // Only the execution can check the condition.
    const isConditional = fieldValue(head.headers, 'if-match') !== undefined
    if (isConditional || (variables !== undefined && !isJson(variables))) return undefined
    const session = isShared ? 'all' : this.#ask('session', request)
    // An empty one, such as `user?.id ?? ''`, would be that of all who have none.
    if (session === undefined || session === '') return undefined
    return JSON.stringify([
      isShared ? 0 : 1,
      session,
      this.#ask('version', request) ?? this.#nameOf(request.schema),
      via,
      head.method,
      head.originalTarget ?? head.target,
      fieldValue(head.headers, 'accept'),
      this.#vary.map((name) => fieldValue(head.headers, name)),
      query,
      operationName,
      variables,
    ])
  }

  #ask(name: 'session' | 'version', request: OperationRequest): string | undefined {
    const returned = this.#options[name]?.(request)
    checkReturned(`responseCache: ${name}`, returned, aString)
    return returned
  }

  /** Another schema object, even in another process, has another name. */
  #nameOf(schema: object): string {
    let name = this.#schemas.get(schema)
    if (name === undefined) this.#schemas.set(schema, (name = crypto.randomUUID()))
    return name
  }
}

/** A short name for a key, which may be as long as a request. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** Whether JSON represents a value completely, unlike an uploaded file, which becomes `{}`. */
function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson)
  if (!isJsonObject(value))
    return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson)
  )
}
