import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import { cutText } from '../../base/cut-text.js'
import { longTurns } from '../../base/long-turns.js'
import { isPromise } from '../../base/promise.js'
import { showValue } from '../../shapes/show-value.js'
import { requestErrorCodes, type RequestError } from './request-error.js'
import {
  asShownError,
  borrowsExtensions,
  innermostError,
  isAboutInput,
  isForClients,
} from './show-error.js'

/** Details of a bug report besides the error. */
export interface BugDetails {
  /** The id that the client saw in `extensions.id`, if any. */
  readonly id: string
  readonly operationName?: string | undefined
  /** The path of the field in the response, if a field failed. */
  readonly path?: readonly (string | number)[] | undefined
  /** The step of the request that failed, such as `context`, which the stack does not show after a wait. */
  readonly step?: string | undefined
}

/** How errors are shown, and where masked ones are reported. */
export interface ErrorSettings {
  // The request is only passed on: the engine does not know its type.
  readonly maskErrors: boolean
  /** The maximum length of messages of graphql-js, which can repeat much of the request. */
  readonly maxMessageLength: number
  readonly formatError:
    | ((
        formatted: GraphQLFormattedError,
        error: unknown,
        request: unknown,
      ) => GraphQLFormattedError)
    | undefined
  onBug(this: void, bug: unknown, details: BugDetails, request: unknown): void
  createId(this: void, request: unknown): string
}

/** Formats the errors of a rejected request: always shown, each with the code of its stage. */
export function formatRequestErrors(
  { kind, errors }: RequestError,
  settings: ErrorSettings,
  request: unknown,
): GraphQLFormattedError[] {
  longTurns.note(0)
  return errors.map((error) => {
    const extensions = { code: requestErrorCodes[kind], ...error.extensions }
    const shown = { ...cutMessage(toFormatted(error), settings), extensions }
    return present(shown, error, undefined, settings, request)
  })
}

/** Formats the errors of fields: those meant for clients are shown, all others are masked and reported. */
export function formatFieldErrors(
  errors: readonly GraphQLError[],
  operationName: string | undefined,
  settings: ErrorSettings,
  request: unknown,
): GraphQLFormattedError[] {
  longTurns.note(0)
  return errors.map((error) => {
    const shown = isMasked(error, settings)
      ? mask(error, operationName, settings, request)
      : showField(error, settings)
    return present(shown, error, operationName, settings, request)
  })
}

function showField(error: GraphQLError, settings: ErrorSettings): GraphQLFormattedError {
  const innermost = innermostError(error)
  const { extensions, ...others } = toFormatted(error)
  const shown = isAboutInput(innermost) ? cutMessage(others, settings) : others
  return extensions === undefined || borrowsExtensions(innermost) ? shown : { ...shown, extensions }
}

function cutMessage(
  formatted: GraphQLFormattedError,
  { maxMessageLength }: ErrorSettings,
): GraphQLFormattedError {
  return { ...formatted, message: cutText(formatted.message, maxMessageLength) }
}

/** Whether an error of a field is masked, and reported when it is formatted. */
export function isMasked(
  error: GraphQLError,
  { maskErrors }: Pick<ErrorSettings, 'maskErrors'>,
): boolean {
  return maskErrors && !isForClients(innermostError(error))
}

/** Formatted from scratch, since a GraphQLError copies the `extensions` of the error that it wraps. */
function mask(
  error: GraphQLError,
  operationName: string | undefined,
  { createId, onBug }: ErrorSettings,
  request: unknown,
): GraphQLFormattedError {
  const id = createId(request)
  // graphql-js does not wrap an error that has a `path` member, which may have nothing to do with the
  // response.
  const { locations, path } = asShownError(error) ?? {}
  onBug(innermostError(error) ?? error, { id, operationName, path }, request)
  return {
    message: 'Internal server error',
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: { code: 'INTERNAL_SERVER_ERROR', id },
  }
}

function toFormatted(error: { readonly message: string }): GraphQLFormattedError {
  const shown = asShownError(error)
  return typeof shown?.toJSON === 'function' ? shown.toJSON() : { message: error.message }
}

function present(
  formatted: GraphQLFormattedError,
  error: unknown,
  operationName: string | undefined,
  { formatError, onBug, createId }: ErrorSettings,
  request: unknown,
): GraphQLFormattedError {
  const shown = withoutHttp(formatted)
  const report = (bug: unknown): void => {
    onBug(bug, { id: createId(request), operationName, path: shown.path }, request)
  }
  if (formatError === undefined) return writableError(shown, report)
  // The errors of a cached document are shared between requests.
  const presented: unknown = formatError(copyPlain(shown), error, request)
  if (typeof (presented as { message?: unknown } | undefined)?.message === 'string') {
    return writableError(presented as GraphQLFormattedError, report)
  }
  if (isPromise(presented)) void Promise.resolve(presented).catch(() => undefined)
  throw new TypeError(`formatError: expected an error with a message, got ${showValue(presented)}.`)
}

/** Deep copy of lists and plain objects, possibly cyclic; other values are not copied. */
function copyPlain<Value>(value: Value, copies: Map<unknown, unknown> = new Map()): Value {
  if (typeof value !== 'object' || value === null) return value
  if (copies.has(value)) return copies.get(value) as Value
  if (Array.isArray(value)) {
    const list: unknown[] = []
    copies.set(value, list)
    for (const item of value) list.push(copyPlain(item, copies))
    return list as Value
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return value
  const copy = Object.create(prototype) as object
  copies.set(value, copy)
  for (const [name, member] of Object.entries(value)) {
    // A member named `__proto__` must stay an ordinary member.
    Object.defineProperty(copy, name, {
      value: copyPlain<unknown>(member, copies),
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
  return copy as Value
}

/**
 * Removes `extensions.http`. Apollo Server reads a status and headers from it; clients should never see it,
 * and here the result decides the status.
 */
function withoutHttp(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { extensions } = formatted
  if (extensions == null || !Object.hasOwn(extensions, 'http')) return formatted
  const { http: _http, ...others } = extensions
  const { extensions: _extensions, ...rest } = formatted
  return Object.keys(others).length === 0 ? rest : { ...rest, extensions: others }
}

/**
 * Keeps what JSON can represent. Other values, such as a BigInt or a cycle, are omitted and reported: the
 * operation has already run, and its data matters more than an extension.
 */
function writableError(
  formatted: GraphQLFormattedError,
  report: (bug: TypeError) => void,
): GraphQLFormattedError {
  const fault = faultOf(formatted, '{')
  if (fault === undefined) return formatted
  const { toJSON, ...members } = formatted as GraphQLFormattedError & { readonly toJSON?: unknown }
  if (typeof toJSON === 'function') report(new TypeError(omitted('toJSON'), fault))
  const kept = writableMembers(members, '', report)
  return { ...kept, message: formatted.message }
}

function writableMembers(value: object, place: string, report: (bug: TypeError) => void): object {
  const members: readonly (readonly [string, unknown])[] = Object.entries(value)
  const kept = members.flatMap(([name, member]) => {
    const fault = faultOf(member)
    if (fault === undefined) return [[name, member]]
    if (place === '' && name === 'extensions' && isPlain(member)) {
      return [[name, writableMembers(member, 'extensions.', report)]]
    }
    report(new TypeError(omitted(`${place}${name}`), fault))
    return []
  })
  return Object.fromEntries(kept) as object
}

function omitted(member: string): string {
  return `${member} of an error cannot be written as JSON and was omitted.`
}

/** Whether JSON serializes the value member by member. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

/** Why a value cannot be serialized, or its text begins in another way: a `toJSON` can throw and return anything. */
function faultOf(value: unknown, start = ''): { readonly cause: unknown } | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined
    return (text ?? '').startsWith(start) ? undefined : { cause: text }
  } catch (cause) {
    return { cause }
  }
}
