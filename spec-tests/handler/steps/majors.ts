import { majors as modules } from '../../graphql/majors.js'

const sdl = `
  type Query { a: String  plain: String  fail: String  coded: String  http: String  later: String  wait: String  twice(n: Int!): Int }
  type Mutation { m: String  failing: String }
  type Subscription { s: String }
`

/** What a test does with both majors of graphql-js: their modules and the same schema made by each. */
export const majors = modules.toReversed().map(([name, module]) => ({
  name,
  graphql: module,
  schema: module.buildSchema(sdl),
  GraphQLError: module.GraphQLError,
}))

export type Major = (typeof majors)[number]

/** Whether the matrix lets every handler compile, which differs in a few details that no client sees. */
export const isCompiled = process.env['GRAPHWIRE_MATRIX_EXECUTOR'] === 'compiled'
