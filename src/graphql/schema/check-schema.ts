import type { GraphQLSchema } from 'graphql'
import { showKind, tagOf } from '../../shapes/show-value.js'
import type { GraphQLModule } from '../js/graphql.js'

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
].join('\n')
