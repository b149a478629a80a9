import * as graphql17 from 'graphql'
import * as graphql16 from 'graphql-16'
import type { GraphQLModule, Options } from '../../../src/index.js'

const sdl = `
  type Query { a: String  plain: String  fail: String  coded: String  http: String  later: String  wait: String  twice(n: Int!): Int }
  type Mutation { m: String  failing: String }
  type Subscription { s: String }
`

/** What a test does with both majors of graphql-js: their modules and the same schema made by each. */
export interface Major {
  readonly name: string
  readonly graphql: GraphQLModule
  readonly schema: Options['schema']
  readonly GraphQLError: typeof graphql17.GraphQLError
}

const sixteen = graphql16 as unknown as typeof graphql17

export const majors: readonly Major[] = [graphql17, sixteen].map((module) => ({
  name: `graphql ${module.version}`,
  graphql: module,
  schema: module.buildSchema(sdl),
  GraphQLError: module.GraphQLError,
}))

/** Whether the matrix lets every handler compile, which differs in a few details that no client sees. */
export const isCompiled = process.env['GRAPHWIRE_MATRIX_EXECUTOR'] === 'compiled'
