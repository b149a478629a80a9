import type { DocumentNode, GraphQLError, GraphQLSchema, Source } from 'graphql'
import { installedGraphQL, type ValidationRule } from '../js/graphql.js'

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
