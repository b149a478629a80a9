import type { GraphQLSchema, DocumentNode, GraphQLError, Source } from 'graphql'
import { showKind, tagOf } from '../../shapes/show-value.js'
import { installedGraphQL, type GraphQLModule, type ValidationRule } from '../js/graphql.js'

/** The schema cannot be served; the message says why, and how to fix it. */
export class SchemaError extends TypeError {
  override readonly name = 'SchemaError'
}

/**
 * Throws a SchemaError unless the value is a valid schema made by this copy of graphql-js; `caller` is the
 * function in the message.
 */
export function checkSchema(
  graphql: GraphQLModule,
  schema: unknown,
  caller: string,
): asserts schema is GraphQLSchema {
  if (!(schema instanceof graphql.GraphQLSchema)) {
    throw new SchemaError(`${caller}: ${problemOf(schema)}`)
  }
  const errors = graphql.validateSchema(schema)
  if (errors.length > 0) {
    throw new SchemaError(
      [`${caller}: the schema is not valid:`, ...errors.map((error) => `- ${error.message}`)].join(
        '\n',
      ),
    )
  }
}

function problemOf(schema: unknown): string {
  const tag = tagOf(schema)
  if (tag === 'GraphQLSchema') return anotherCopy
  return `schema: expected a GraphQLSchema, got ${showKind(schema)}.${hints[tag] ?? ''}`
}

const hints: { readonly [tag: string]: string } = {
  string: ' Build one from SDL with buildSchema(sdl, resolvers).',
  Promise: ' Await it, or pass a function that returns it: schema: () => promise.',
}

const anotherCopy = [
  'the schema was made by a different copy of graphql than the one graphwire uses; two copies cannot work together.',
  'Either remove the duplicate (`npm ls graphql` shows where each comes from; `npm dedupe` often helps),',
  "or give graphwire the schema's copy: `import * as graphql from 'graphql'` where the schema is made, then createHandler({ schema, graphql }).",
  'Vitest loads two of graphql 17 by itself: `server: { deps: { inline: [/\\/@?graphwire\\//] } }` in the `test` of its configuration makes it one.',
].join('\n')

/**
 * The errors behind an exception of `buildSchema`, with their locations in the SDL. graphql-js omits most
 * locations, so its rules are run again.
 */
export function locateFaults(
  thrown: Error,
  sdl: string,
  fileName: string,
): readonly GraphQLError[] {
  if ('locations' in thrown) return [thrown as GraphQLError]
  const tools = installedGraphQL as unknown as SdlTools
  const faults = tools.validate(
    new tools.GraphQLSchema({ assumeValid: true }),
    tools.parse(new tools.Source(sdl, fileName)),
    sdlRules.map((name) => tools[name]).filter((rule) => rule !== undefined),
  )
  // The empty schema has the built-in types; SDL that defines one of them again is valid.
  return faults.filter(({ message }) => thrown.message.includes(message))
}

/** The errors of an invalid schema, with locations in its SDL; none for a schema of another copy of graphql. */
export function schemaFaults(schema: GraphQLSchema): readonly GraphQLError[] {
  const isOurs = schema instanceof installedGraphQL.GraphQLSchema
  return isOurs ? installedGraphQL.validateSchema(schema) : []
}

/** The rules of `buildSchema`; if they are not exported, the rules that include them. */
const sdlRules = [
  'LoneSchemaDefinitionRule',
  'UniqueOperationTypesRule',
  'UniqueTypeNamesRule',
  'UniqueEnumValueNamesRule',
  'UniqueFieldDefinitionNamesRule',
  'UniqueArgumentDefinitionNamesRule',
  'UniqueDirectiveNamesRule',
  'KnownTypeNamesRule',
  'KnownDirectivesRule',
  'UniqueDirectivesPerLocationRule',
  'PossibleTypeExtensionsRule',
  'KnownArgumentNamesRule',
  'UniqueArgumentNamesRule',
  'UniqueInputFieldNamesRule',
  'ProvidedRequiredArgumentsRule',
] as const

interface SdlTools extends Partial<Record<(typeof sdlRules)[number], ValidationRule>> {
  readonly GraphQLSchema: new (config: { assumeValid: true }) => GraphQLSchema
  readonly Source: new (sdl: string, name: string) => Source
  parse(source: Source): DocumentNode
  validate(
    schema: GraphQLSchema,
    document: DocumentNode,
    rules: readonly ValidationRule[],
  ): readonly GraphQLError[]
}
