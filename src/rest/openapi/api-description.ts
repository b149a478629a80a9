import type { GraphQLSchema } from 'graphql'
import { installedGraphQL, type GraphQLModule } from '../../engine/graphql.js'
import { usualProblemBase } from '../problem.js'
import type { Route } from '../route.js'
import type { Security } from './describe-operation.js'
import { describePaths, mergePaths, type PathItems } from './describe-paths.js'
import type { JsonSchema } from './json-schema.js'
import { NamedSchemas, type ScalarSchemas } from './named-schemas.js'
import { OperationIds } from './operation-ids.js'
import { planRoutes } from './plan-routes.js'
import { problemResponses, problemSchema } from './problem.js'

/** What an API description is made from. */
export interface ApiDescriptionOptions<Context> {
  readonly schema: GraphQLSchema
  readonly routes: readonly Route<Context>[]
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly { readonly url: string; readonly description?: string }[]
  /** The security schemes by name, as OpenAPI writes them. */
  readonly securitySchemes?: { readonly [name: string]: object }
  /** What a route asks for; an empty object among several says that it is open, too. Default: nothing is said. */
  security?(route: Route<never>): Security | undefined
  /** Whether a POST may name another method in `X-HTTP-Method-Override`. Default: false, as with the handler. */
  readonly methodOverride?: boolean
  /** What the types of problems start with. Default: 'urn:graphwire:problem:', as with the handler. */
  readonly problemBase?: string
  /** Path items by template for what is served beside the routes. */
  readonly moreOperations?: PathItems
  /** The JSON Schemas of custom scalars by name. Default: anything. */
  readonly scalars?: ScalarSchemas
  /** The graphql-js module to use, where the schema comes from another copy. Default: the one installed beside. */
  readonly graphql?: GraphQLModule
}

/** Describes routes as OpenAPI 3.1: plain data, the same for the same routes and schema. */
export function createApiDescription<Context>(options: ApiDescriptionOptions<Context>): JsonSchema {
  const { schema, moreOperations = {}, scalars = {}, graphql = installedGraphQL } = options
  const { info, servers, securitySchemes, methodOverride = false } = options
  const { problemBase = usualProblemBase } = options
  const named = new NamedSchemas(scalars)
  const ids = new OperationIds(idsOf(moreOperations))
  const paths = describePaths(planRoutes(graphql, schema, options.routes), {
    named,
    ids,
    methodOverride,
    securityOf: ({ route }) => options.security?.(route),
  })
  // A type of the schema keeps its name.
  const problem = schema.getType('Problem') === undefined ? 'Problem' : 'HttpProblem'
  return {
    openapi: '3.1.1',
    info,
    ...(servers !== undefined && { servers }),
    paths: mergePaths(paths, moreOperations),
    components: {
      schemas: { ...named.all(), [problem]: problemSchema(problemBase) },
      responses: problemResponses(problem),
      ...(securitySchemes !== undefined && { securitySchemes }),
    },
  }
}

function idsOf(items: PathItems): readonly string[] {
  return Object.values(items)
    .flatMap((item) => Object.values(item))
    .map((operation) => (operation as { operationId?: unknown } | null)?.operationId)
    .filter((id) => typeof id === 'string')
}
