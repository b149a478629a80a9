import * as graphql16 from 'graphql-16'
import * as graphql from 'graphql'
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql'
import type { GraphQLModule, ValidationRule } from '../../../../src/graphql/js/graphql.js'
import { createValidate } from '../../../../src/graphql/document/validate.js'
import type { ErrorOptions } from '../../../../src/graphql/js/graphql.js'
import { documents, schemas } from './documents.js'

/** The parts of graphql-js that the tests of validation use themselves. */
export type TestedGraphQL = GraphQLModule & typeof graphql

/** Both majors, or one of them where the tests run with graphql 16 in the place of 17. */
export const majors: readonly TestedGraphQL[] = [
  graphql,
  graphql16 as unknown as TestedGraphQL,
].filter(({ version }, index, { length }) => index === length - 1 || version !== graphql16.version)

/** Everything that can be seen of one validation. */
export interface Seen {
  readonly errors: readonly GraphQLError[]
  readonly thrown: string
}

/** graphql's own `validate()` and the merged one with the same rules, made once and used often. */
export interface Pair {
  readonly own: (schema: GraphQLSchema, document: DocumentNode) => Seen
  readonly merged: (schema: GraphQLSchema, document: DocumentNode) => Seen
}

export function createPair(
  module: TestedGraphQL,
  rules: readonly ValidationRule[],
  options: ErrorOptions = {},
): Pair {
  const validate = createValidate(module, rules, options)
  return {
    own: (schema, document) => look(() => module.validate(schema, document, rules, options)),
    merged: (schema, document) => look(() => validate(schema, document)),
  }
}

function look(work: () => readonly GraphQLError[]): Seen {
  try {
    return { errors: work(), thrown: '' }
  } catch (error) {
    return { errors: [], thrown: String(error) }
  }
}

/** How two validations differ, or undefined where nobody can tell them apart. */
export function difference(own: Seen, merged: Seen): string | undefined {
  if (own.thrown !== merged.thrown) return `threw ${merged.thrown} and not ${own.thrown}`
  const [expected, found] = [JSON.stringify(own.errors), JSON.stringify(merged.errors)]
  if (expected !== found) return `${found}\nand not\n${expected}`
  const at = own.errors.findIndex((error, index) => !areSameNodes(error, merged.errors[index]))
  return at < 0 ? undefined : `error ${at} has other nodes`
}

/** A rule may have put a copy in the place of a node, which has the place of its original. */
function areSameNodes(one: GraphQLError, other: GraphQLError | undefined): boolean {
  const [some, others] = [one.nodes ?? [], other?.nodes ?? []]
  return (
    some.length === others.length &&
    some.every(({ kind, loc }, index) => kind === others[index]?.kind && loc === others[index].loc)
  )
}

/** The documents that a copy of graphql-js parses, with their schemas. 17 knows more syntax than 16. */
export function corpusOf(module: TestedGraphQL) {
  const built = new Map(
    Object.entries(schemas).map(([name, sdl]) => [name, module.buildSchema(sdl)] as const),
  )
  return documents.flatMap(([name, source]) => {
    try {
      const schema = built.get(name) as GraphQLSchema
      return [{ schema, source, document: module.parse(source) }]
    } catch {
      return []
    }
  })
}
