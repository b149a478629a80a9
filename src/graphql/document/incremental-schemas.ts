import type { GraphQLDirective, GraphQLSchema } from 'graphql'
import { remember } from '../../base/remember.js'
import {
  deliversIncrementally,
  type GraphQLModule,
  type IncrementalGraphQLModule,
  type SchemaTools,
} from '../js/graphql.js'

interface IncrementalSettings {
  readonly graphql: GraphQLModule
  readonly incremental: boolean
  readonly execute: unknown
}

type Tools = Omit<IncrementalGraphQLModule, 'GraphQLSchema'> & Pick<SchemaTools, 'GraphQLSchema'>

/**
 * Adds @defer and @stream to schemas that do not declare them. Only documents that may use them, or ask for
 * the directives, see the schema that has them: for all others `info.schema` stays the schema of the request,
 * and starting costs nothing.
 */
export class IncrementalSchemas {
  /** Undefined if nothing can execute the directives. */
  readonly #graphql: Tools | undefined
  /** By the given schema. Both share all types. */
  readonly #extended = new WeakMap<GraphQLSchema, GraphQLSchema>()

  constructor({ graphql, incremental, execute }: IncrementalSettings) {
    const isAvailable = incremental && execute === undefined && deliversIncrementally(graphql)
    this.#graphql = isAvailable ? (graphql as Tools) : undefined
  }

  for(schema: GraphQLSchema, source: string): GraphQLSchema {
    const graphql = this.#graphql
    if (graphql === undefined || !maySee(source)) return schema
    return remember(this.#extended, schema, () => extend(schema, graphql))
  }

  /** Whether the directives of the schema are those that graphql-js executes, and not others of that name. */
  canExecute(schema: GraphQLSchema): boolean {
    return (
      this.#graphql !== undefined &&
      directivesOf(this.#graphql).every((directive) => declares(schema, directive))
    )
  }
}

/** Names cannot be escaped, so a document without these words has nothing to do with the directives. */
function maySee(source: string): boolean {
  return (
    source.includes('__schema') || (source.includes('@') && /\b(?:defer|stream)\b/.test(source))
  )
}

function directivesOf(graphql: Tools): readonly GraphQLDirective[] {
  return [graphql.GraphQLDeferDirective, graphql.GraphQLStreamDirective]
}

function extend(schema: GraphQLSchema, graphql: Tools): GraphQLSchema {
  const missing = directivesOf(graphql).filter(({ name }) => schema.getDirective(name) == null)
  if (missing.length === 0) return schema
  const directives = [...schema.getDirectives(), ...missing]
  try {
    // The given schema was validated when it was first seen.
    return new graphql.GraphQLSchema({ ...schema.toConfig(), directives, assumeValid: true })
  } catch {
    // It has built-in scalars of its own, and a schema has only one type of a name.
    return schema
  }
}

/** Older declarations have nullable arguments. */
function declares(schema: GraphQLSchema, { name, args }: GraphQLDirective): boolean {
  const declared = schema.getDirective(name)
  if (declared == null) return false
  return declared.args.every((own) => {
    const standard = args.find((one) => one.name === own.name)
    return standard !== undefined && nullable(own.type) === nullable(standard.type)
  })
}

function nullable(type: unknown): string {
  return String(type).replace(/!$/, '')
}
