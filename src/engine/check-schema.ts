import type { GraphQLSchema } from 'graphql'
import type { GraphQLModule } from './graphql.js'

/** The embedder's schema cannot be served; the message says why and what would be right. */
export class SchemaError extends TypeError {
  override readonly name = 'SchemaError'
}

/** Throws a SchemaError unless the value is a valid schema of this very copy of graphql-js. */
export function checkSchema(
  graphql: GraphQLModule,
  schema: unknown,
): asserts schema is GraphQLSchema {
  if (!(schema instanceof graphql.GraphQLSchema)) {
    throw new SchemaError(
      tagOf(schema) === 'GraphQLSchema'
        ? anotherCopy
        : `schema: expected a GraphQLSchema, got ${tagOf(schema)}.`,
    )
  }
  const errors = graphql.validateSchema(schema)
  if (errors.length > 0) {
    throw new SchemaError(
      ['The schema is not valid:', ...errors.map((error) => `- ${error.message}`)].join('\n'),
    )
  }
}

const anotherCopy = [
  'The schema was made by another copy of graphql than the one graphwire uses, and the two cannot work together.',
  'To mend it, either leave one copy only (`npm ls graphql` shows where each comes from; `npm dedupe` often suffices),',
  "or give graphwire the schema's copy: `import * as graphql from 'graphql'` where the schema is made, then createHandler({ schema, graphql }).",
].join('\n')

/** graphql-js tags its classes, which tells them across copies where `instanceof` cannot. */
function tagOf(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'object'
    ? Object.prototype.toString.call(value).slice(8, -1)
    : typeof value
}
