import type { GraphQLFieldResolver, GraphQLNamedType, GraphQLSchema } from 'graphql'

export type Resolver = GraphQLFieldResolver<unknown, unknown>
type Decide = (...args: unknown[]) => unknown

interface SchemaWatcher {
  readonly watch: (resolve: Resolver) => Resolver
  /** Wraps `resolveType` or `isTypeOf`. */
  readonly watchDecision?: (decide: Decide) => Decide
}

/** The functions of embedders by their wrappers. */
const originals = new WeakMap<object, object>()

/** What a resolver was before it was wrapped, for executors that need no wrapper. */
export function originalOf(resolve: Resolver): Resolver {
  let original: object = resolve
  for (let inner = originals.get(original); inner !== undefined; inner = originals.get(original)) {
    original = inner
  }
  return original as Resolver
}

/**
 * Wraps the functions of schemas, each function once: engines may share a schema, and schemas that are made
 * for each request may share their types.
 */
export class WatchedSchemas {
  readonly #watcher: SchemaWatcher
  readonly #schemas = new WeakSet<GraphQLSchema>()
  readonly #wrappers = new WeakSet<object>()

  constructor(watcher: SchemaWatcher) {
    this.#watcher = watcher
  }

  add(schema: GraphQLSchema): void {
    if (this.#schemas.has(schema)) return
    this.#schemas.add(schema)
    for (const type of Object.values(schema.getTypeMap())) this.#watchType(type)
  }

  /** Resolvers of introspection are unchanged: all schemas share them, and they return no promises. */
  #watchType(type: GraphQLNamedType): void {
    if (type.name.startsWith('__')) return
    const { watch, watchDecision } = this.#watcher
    if (watchDecision !== undefined) {
      for (const name of ['resolveType', 'isTypeOf'] as const) {
        this.#wrap(type, name, (decide: Decide) =>
          watchDecision((...args) => decide.apply(type, args)),
        )
      }
    }
    if (!('getFields' in type)) return
    for (const field of Object.values(type.getFields())) this.#wrap(field, 'resolve', watch)
  }

  /** Members of a frozen schema are unchanged. */
  #wrap(holder: object, name: string, wrap: (given: never) => object): void {
    const { [name]: given } = holder as { readonly [member: string]: unknown }
    if (typeof given !== 'function' || this.#wrappers.has(given)) return
    // What other code has noted on a resolver stays.
    const wrapper = Object.assign(wrap(given as never), given)
    this.#wrappers.add(wrapper)
    originals.set(wrapper, given)
    Reflect.set(holder, name, wrapper)
  }
}
