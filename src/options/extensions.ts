import type { GraphQLSchema } from 'graphql'
import { andThen, isPromise } from '../base/promise.js'
import { installedGraphQL, type GraphQLModule, type ValidationRule } from '../graphql/js/graphql.js'
import { resolveOwn } from '../graphql/schema/inherited-names.js'
import type { MaybePromise, RequestHead } from '../http/message.js'
import type { Outcome } from '../base/outcome.js'
import type { Denial } from '../over-http/refusals.js'
import { checkOptions, listOf, objectOf, required } from '../shapes/shape.js'
import { aFunction, aString } from '../shapes/shapes.js'
import { showValue } from '../shapes/show-value.js'
import { hookShapes, type Hooks } from './hooks.js'
import { OperationRequest } from './operation-request.js'
import { createBugPrinter } from './print-bug.js'
import { printReport, printStuck } from './report.js'
import type { CompletedRequest } from './request-info.js'
import type { ResultInfo } from './result-info.js'
import {
  createFieldWrapper,
  type AnyResolver,
  type FieldFunction,
} from '../graphql/schema/wrap-fields.js'

/** What an extension is made of: any of the hooks. `Added` is what it adds to the context value. */
export interface ExtensionHooks<
  Added extends object = object,
  Principal = unknown,
  Raw = unknown,
> extends Hooks<Raw, Principal> {
  /** Its name in messages. */
  readonly name: string
  /** Makes members of the context value. Those of the option `context` take precedence. */
  context?(request: OperationRequest<Raw, Principal>): MaybePromise<Added>
  onResult?(request: CompletedRequest<Raw, Principal>, result: ResultInfo, context?: Added): unknown
  /** Called once for each function of each field of a schema: returns a replacement, or undefined. */
  wrapField?(of: FieldFunction, resolve: AnyResolver): AnyResolver | undefined
  /** Validation rules, in addition to those of the options. */
  readonly validationRules?: readonly ValidationRule[] | undefined
}

/** An extension whose additions to the context value are not known. */
export interface AnyExtension<Principal = unknown> {
  readonly name: string
  readonly hooks: Hooks
  /** The options with this extension around them. */
  extend<Inner extends Extendable>(this: void, inner: Inner): Inner
  /** Only for the compiler: what it needs to know. */
  readonly '~needs'?: (principal: Principal) => void
}

/** An extension, for the option `use`. */
export interface Extension<
  Added extends object = object,
  Principal = unknown,
> extends AnyExtension<Principal> {
  /** Only for the compiler. A list of extensions keeps the type of each, since none is assignable to another. */
  readonly '~added'?: (added: Added) => Added
}

/** The part of options that extensions change. */
interface Extendable extends Hooks {
  readonly schema: unknown
  readonly graphql?: GraphQLModule | undefined
  readonly validationRules?: readonly ValidationRule[] | undefined
  context?(request: OperationRequest): unknown
}

const shape = objectOf<ExtensionHooks>("{ name: 'timing', onResult }", {
  ...hookShapes,
  name: required(aString),
  context: aFunction,
  wrapField: aFunction,
  validationRules: listOf('a list of validation rules', aFunction),
})

/** Makes an extension of hooks, for the option `use`. With `authenticate`, it needs no other source of the principal. */
export function defineExtension<Added extends object = object, Principal = unknown, Raw = unknown>(
  hooks: Identifying<Added, Principal, Raw>,
): Extension<Added>
export function defineExtension<Added extends object = object, Principal = unknown, Raw = unknown>(
  hooks: ExtensionHooks<Added, Principal, Raw>,
): Extension<Added, Principal>
export function defineExtension<Added extends object, Principal, Raw>(
  hooks: ExtensionHooks<Added, Principal, Raw>,
): Extension<Added, Principal> {
  checkOptions('defineExtension', hooks, shape)
  // Hooks get request objects made by the handler, so their types hold by construction.
  const own = hooks as unknown as ExtensionHooks
  return {
    name: own.name,
    hooks: own,
    extend: (inner) => ({ ...inner, ...compose(own, inner) }),
  }
}

interface Identifying<Added extends object, Principal, Raw> extends ExtensionHooks<
  Added,
  Principal,
  Raw
> {
  authenticate(head: RequestHead<Raw>): MaybePromise<Outcome<Principal, Denial>>
}

/** The hooks of an extension around those of the options, except those that the road calls layer by layer. */
function compose(own: ExtensionHooks, inner: Extendable): object {
  const composed: { [name: string]: unknown } = {}
  for (const [name, combine] of Object.entries(combinations) as CombinationRows) {
    const outerHook = own[name]?.bind(own) as AnyHook | undefined
    const innerHook = inner[name] as AnyHook | undefined
    const usual = innerHook ?? defaults[name]?.()
    if (outerHook === undefined) composed[name] = innerHook
    else if (usual === undefined) composed[name] = outerHook
    else if (combine === undefined) throw ownedTwice(name, own)
    else composed[name] = combine(outerHook, usual)
  }
  composed['context'] = composeContext(own, inner)
  composed['schema'] = wrapSchema(own, inner)
  composed['validationRules'] = [...(own.validationRules ?? []), ...(inner.validationRules ?? [])]
  return composed
}

type Combined = Exclude<keyof Hooks, 'around' | 'responseHeaders' | 'responseExtensions'>
type AnyHook = (...given: readonly unknown[]) => unknown
type Combine = (outer: AnyHook, inner: AnyHook) => AnyHook

type CombinationRows = [Combined, Combine | undefined][]

/** Which hooks run, in which order: what is before the execution begins outside. Undefined if only one may have the hook. */
const combinations: { readonly [name in Combined]: Combine | undefined } = {
  admit: (outer, inner) => (request) =>
    andThen(outer(request), (denial) => (denial === undefined ? inner(request) : denial)),
  formatError: (outer, inner) => (formatted, error, request) =>
    outer(inner(formatted, error, request), error, request),
  onBug: both,
  onStuck: both,
  onStreamEnd: both,
  onHandshake: both,
  onResult: both,
  onLimit: both,
  authenticate: undefined,
  recheck: undefined,
  credentialExpiry: undefined,
}

/** If the options lack a hook, its default still runs inside that of an extension. */
const defaults: { readonly [name in Combined]?: () => AnyHook } = {
  onBug: () => createBugPrinter() as AnyHook,
  onStuck: () => printStuck as AnyHook,
  onLimit: () => printReport as AnyHook,
}

function ownedTwice(hook: string, { name }: ExtensionHooks): TypeError {
  return new TypeError(
    `use: the extension ${showValue(name)} has ${hook}, and so has another one or the options. Only one may have it.`,
  )
}

/** Calls both hooks, even if one fails: what it throws is then a promise that rejects. */
function both(outer: AnyHook, inner: AnyHook): AnyHook {
  return (...given) => {
    const returned = [inner, outer].map((hook): unknown => {
      try {
        return hook(...given)
      } catch (bug) {
        return Promise.reject(bug)
      }
    })
    return returned.some(isPromise) ? waitForAll(returned) : undefined
  }
}

async function waitForAll(returned: readonly unknown[]): Promise<void> {
  const settled = await Promise.allSettled(returned)
  const failed = settled.filter(({ status }) => status === 'rejected')
  const reasons = failed.map((one) => (one as PromiseRejectedResult).reason as unknown)
  if (reasons.length > 1) throw new AggregateError(reasons, 'Several hooks failed.')
  if (reasons.length === 1) throw reasons[0]
}

function composeContext(own: ExtensionHooks, inner: Extendable): Extendable['context'] {
  if (own.context === undefined) return inner.context?.bind(inner)
  return (request) =>
    andThen(own.context?.(request), (added) =>
      andThen(inner.context === undefined ? request : inner.context(request), (value) =>
        addMembers(added, value, own.name),
      ),
    )
}

/** The context value with more members. The value of the embedder is copied, since requests may share it. */
function addMembers(added: unknown, value: unknown, name: string): unknown {
  const by = `context of the extension ${showValue(name)}`
  if (!isPlainObject(added)) {
    throw new TypeError(`${by}: expected a plain object, got ${showValue(added)}.`)
  }
  if (value instanceof OperationRequest) {
    const taken = Object.keys(added).find(isOfRequest)
    if (taken !== undefined) {
      throw new TypeError(`${by}: the request has a member ${showValue(taken)} of its own.`)
    }
    const missing = Object.entries(added).filter(([key]) => !(key in value))
    return Object.assign(value, Object.fromEntries(missing))
  }
  if (isPlainObject(value)) return { ...added, ...value }
  throw new TypeError(
    `${by}: members can be added to a plain object only, so the option context must return one, not ${showValue(value)}.`,
  )
}

function isOfRequest(name: string): boolean {
  return name in OperationRequest.prototype || ['head', 'principal', 'via'].includes(name)
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The schema, or the function that finds it, with the fields of the schema wrapped. */
function wrapSchema(own: ExtensionHooks, inner: Extendable): unknown {
  const { graphql = installedGraphQL, schema } = inner
  const wrapField = own.wrapField?.bind(own)
  if (wrapField === undefined) return schema
  const wrap = createFieldWrapper(wrapField, resolveOwn(graphql.defaultFieldResolver))
  if (typeof schema !== 'function') return wrap(schema as GraphQLSchema)
  return (...given: readonly unknown[]) =>
    andThen(schema.apply(inner, [...given]) as MaybePromise<GraphQLSchema>, wrap)
}

/** A value for each operation, made when a hook first asks for it, and the same for all of its hooks. */
export function createState<Value>(
  create: () => Value,
): (request: { readonly key: object }) => Value {
  const states = new WeakMap<object, Value>()
  return ({ key }) => {
    if (!states.has(key)) states.set(key, create())
    return states.get(key) as Value
  }
}
