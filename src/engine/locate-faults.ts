import type { DocumentNode, GraphQLError, GraphQLSchema, Source } from 'graphql'
import { installedGraphQL, type ValidationRule } from './graphql.js'

/**
 * The faults behind an error that `buildSchema` threw, with their places in the SDL. graphql-js tells
 * most of them without, so that its rules are run once more.
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
  // The empty schema knows the built-in types: that SDL defines one again is no fault of it.
  return faults.filter(({ message }) => thrown.message.includes(message))
}

/** What makes a schema invalid, with the places in its SDL; nothing for that of another graphql. */
export function schemaFaults(schema: GraphQLSchema): readonly GraphQLError[] {
  const isOurs = schema instanceof installedGraphQL.GraphQLSchema
  return isOurs ? installedGraphQL.validateSchema(schema) : []
}

/** The rules of `buildSchema`, or where those are not exported the ones that they are part of. */
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
