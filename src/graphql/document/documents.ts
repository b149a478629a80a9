import type { TracingChannel } from 'node:diagnostics_channel'
import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { cutText } from '../../base/cut-text.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import { isIncremental } from '../limits/cost/active-directives.js'
import { DocumentCache } from './document-cache.js'
import { IncrementalSchemas } from './incremental-schemas.js'
import { createValidate, type Validate } from './validate.js'
import type { RequestError } from '../errors/request-error.js'
import { findInherited, type Inherited } from '../schema/inherited-names.js'
import { asShownError } from '../errors/show-error.js'
import { fragmentsOf, operationsIn, type Fragments } from '../js/fragments.js'
import { splitsExecution, type GraphQLModule, type ValidationRule } from '../js/graphql.js'
import { graphqlChannel, isTraced, trace, type ChannelSettings } from '../js/tracing.js'
import type { LimitCheck } from '../limits/check-limits.js'
import type { LimitSettings } from '../limits/limits.js'

/** Only `Documents` makes one, so nothing unvalidated can reach `execute`. */
export interface ValidDocument {
  /** Without @defer and @stream, for results that are delivered as a whole. */
  readonly document: DocumentNode
  /** With them, if it has any and they can be executed. The operations and fragments are those of this form. */
  readonly incremental: DocumentNode | undefined
  /** The schema to execute it with: that of the request, perhaps with @defer and @stream added. */
  readonly schema: GraphQLSchema
  readonly operations: readonly OperationDefinitionNode[]
  readonly fragments: Fragments
  /** Names in the schema that need care. */
  readonly inherited: Inherited
}

type WatchOperation = (schema: GraphQLSchema, operation: OperationDefinitionNode) => void

type Checked = Outcome<ValidDocument, RequestError>

/** A request that looks for a document. */
export interface DocumentFinding {
  /** Set to false if the document was not in the cache. */
  documentCached: boolean | undefined
}

/** The settings of `Documents`; every field is an option of the handler. */
export interface DocumentSettings extends LimitSettings, ChannelSettings {
  readonly graphql: GraphQLModule
  readonly validationRules: readonly ValidationRule[]
  /** Whether @defer and @stream are available, if `graphql` and `execute` permit it. */
  readonly incremental: boolean
  readonly execute: unknown
  readonly hideSuggestions: boolean
  readonly maxErrors: number
  readonly documentCacheEntries: number
  readonly documentCacheBytes: number
  /** Texts whose documents are never evicted; undefined if there are none. */
  readonly pinned: ReadonlySet<string> | undefined
}

/**
 * Parses and validates each source text once. Each schema has its own cache, since schemas can differ by
 * request; invalid documents have a small cache of their own and cannot evict valid ones.
 */
export class Documents {
  readonly #settings: DocumentSettings
  readonly #channels: { readonly [stage in 'parse' | 'validate']: TracingChannel | undefined }
  readonly #limits: LimitCheck
  readonly #watch: WatchOperation
  readonly #validateMerged: Validate
  readonly #schemas: IncrementalSchemas
  readonly #caches = new WeakMap<GraphQLSchema, SchemaCaches>()

  /** `watch` gets each operation that may be executed. */
  constructor(settings: DocumentSettings, limits: LimitCheck, watch: WatchOperation) {
    this.#watch = watch
    this.#settings = settings
    this.#limits = limits
    // graphql 17 publishes on these channels itself; 16 does not.
    const own = { channels: settings.channels && !splitsExecution(settings.graphql) }
    this.#channels = {
      parse: graphqlChannel('parse', own),
      validate: graphqlChannel('validate', own),
    }
    this.#validateMerged = createValidate(settings.graphql, settings.validationRules, settings)
    this.#schemas = new IncrementalSchemas(settings)
  }

  /** Returns the parsed and validated document of a source text, or the errors. */
  find(schema: GraphQLSchema, source: string, request?: DocumentFinding): Checked {
    const { pinned, valid, invalid } = this.#caches.get(schema) ?? this.#createCaches(schema)
    const cached = pinned.get(source) ?? valid.get(source) ?? invalid.get(source)
    if (cached !== undefined) return cached
    if (request !== undefined) request.documentCached = false
    const checked = this.check(schema, source, this.#limits, request)
    const others = checked.ok ? valid : invalid
    if (this.#settings.pinned?.has(source) === true) pinned.set(source, checked)
    else if (source.length <= maxCacheableLength) others.set(source, checked)
    return checked
  }

  #createCaches(schema: GraphQLSchema): SchemaCaches {
    const { documentCacheEntries: entries, documentCacheBytes: bytes } = this.#settings
    const caches: SchemaCaches = {
      pinned: new Map(),
      valid: new DocumentCache(entries, bytes),
      invalid: new DocumentCache(Math.ceil(entries / 10), bytes / 10),
    }
    this.#caches.set(schema, caches)
    return caches
  }

  /** Parses and validates without the cache; documents of the embedder have no limits. */
  check(given: GraphQLSchema, source: string, limits?: LimitCheck, request?: unknown): Checked {
    const schema = this.#schemas.for(given, source)
    const tooLong = limits?.ofSource(source, request)
    if (tooLong) return failure(tooLong)
    const parsed = this.#parse(source)
    if (!parsed.ok) return parsed
    const tooLarge = limits?.ofDocument(source, parsed.value, request)
    if (tooLarge) return failure(tooLarge)
    // A rule of graphql 16 throws for `subscription { a @skip(if: $b) }`.
    const validated = caught('validation', () => this.#validate(schema, parsed.value))
    if (!validated.ok) return validated
    if (validated.value.length > 0) return failure({ kind: 'validation', errors: validated.value })
    const document = withoutIncremental(this.#settings.graphql, schema, parsed.value)
    const hasIncremental = document !== parsed.value && this.#schemas.canExecute(schema)
    const incremental = hasIncremental ? parsed.value : undefined
    const full = incremental ?? document
    const operations = operationsIn(full)
    const fragments = fragmentsOf(full)
    const inherited = findInherited(schema)
    for (const one of [...operationsIn(document), ...operations]) this.#watch(schema, one)
    return (
      missingRoot(schema, operations) ??
      success({ document, incremental, schema, operations, fragments, inherited })
    )
  }

  #parse(source: string): Outcome<DocumentNode, RequestError> {
    const { graphql } = this.#settings
    const channel = this.#channels.parse
    const parse = (): DocumentNode => graphql.parse(source)
    return caught('syntax', () => {
      const document = isTraced(channel) ? trace(channel, { source }, parse) : parse()
      indexLines(document)
      return document
    })
  }

  #validate(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
    const channel = this.#channels.validate
    const validate = (): readonly GraphQLError[] => this.#validateMerged(schema, document)
    return isTraced(channel) ? trace(channel, { schema, document }, validate) : validate()
  }
}

/** A thrown GraphQLError is treated like a returned one; anything else is a bug. */
function caught<Value>(
  kind: 'syntax' | 'validation',
  work: () => Value,
): Outcome<Value, RequestError> {
  try {
    return success(work())
  } catch (error) {
    const shown = asShownError(error)
    if (shown === undefined) throw error
    return failure({ kind, errors: [shown] })
  }
}

/** Longer documents are rare and would evict many short ones. */
const maxCacheableLength = 8 * 1024

interface SchemaCaches {
  /** Those of texts that are never evicted. */
  readonly pinned: Map<string, Checked>
  readonly valid: DocumentCache<Checked>
  readonly invalid: DocumentCache<Checked>
}

/** graphql 16 accepts an operation whose root type the schema lacks, and then responds with `data: null`. */
function missingRoot(
  schema: GraphQLSchema,
  operations: readonly OperationDefinitionNode[],
): Checked | undefined {
  const lacking = operations.find(({ operation }) => schema.getRootType(operation) == null)
  if (lacking === undefined) return undefined
  const message = `The schema has no ${lacking.operation} type.`
  return failure({ kind: 'validation', errors: [{ message }] })
}

/**
 * Removes @defer and @stream. They permit incremental delivery but do not require it; execution as a single
 * result would throw for them.
 */
function withoutIncremental(
  graphql: GraphQLModule,
  schema: GraphQLSchema,
  document: DocumentNode,
): DocumentNode {
  // graphql 16 ignores them.
  if (!splitsExecution(graphql)) return document
  if (schema.getDirective('defer') == null && schema.getDirective('stream') == null) return document
  return graphql.visit(document, {
    Directive: (node) => (isIncremental(node) ? null : undefined),
  })
}

/** Documents with fewer lines are left unchanged. */
const leastLines = 200

/**
 * Finds the line ends of a long document once. graphql-js searches them again for each error: ten thousand errors behind a
 * thousand lines took two seconds. The source becomes a `String` object whose `matchAll` returns the ends that were found.
 */
export function indexLines({ loc }: DocumentNode): void {
  if (loc === undefined) return
  const text = loc.source.body
  const ends = [...text.matchAll(lineEnd)]
  if (ends.length < leastLines) return
  const matchAll = (pattern: RegExp): Iterable<RegExpMatchArray> =>
    pattern.source === lineEnd.source ? ends.values() : text.matchAll(pattern)
  // oxlint-disable-next-line no-new-wrappers -- a string has no methods of its own
  loc.source.body = Object.assign(new String(text), { matchAll }) as unknown as string
}

/** As in graphql-js. */
const lineEnd = /\r\n|[\n\r]/g

/** GetOperation() of the GraphQL specification, section 6.1. */
export function selectOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | undefined,
): Outcome<OperationDefinitionNode, RequestError> {
  const [only] = operations
  if (name !== undefined) {
    const named = operations.find((operation) => operation.name?.value === name)
    return named
      ? success(named)
      : undetermined(`Unknown operation named ${JSON.stringify(cutText(name, 100))}.`)
  }
  if (only === undefined) return undetermined('The document contains no operation.')
  if (operations.length === 1) return success(only)
  return undetermined(
    'The document contains several operations: operationName must name one of them.',
  )
}

function undetermined(message: string): Outcome<never, RequestError> {
  return failure({ kind: 'operation', errors: [{ message }] })
}
