import type { GraphQLSchema } from 'graphql'
import {
  checkOptions,
  listOf,
  objectOf,
  recordOf,
  required,
  type Shape,
  aBoolean,
  aFunction,
  aString,
} from 'graphwire/base'
import { createTools, installedGraphQL, moduleShape, resolveOptions } from 'graphwire/surface/parts'
import type { GraphQLModule } from 'graphwire'
import { usualProblemBase } from 'graphwire/http'
import {
  createIdMaker,
  describePaths,
  mergePaths,
  type PathItems,
  type Security,
} from './describe-operation.js'
import { describePlan, type DescribedPlan } from './describe-plan.js'
import { type JsonSchema, NamedSchemas, type ScalarSchemas } from '@graphwire/json-schema'
import { problemResponses, problemSchema } from './problem.js'
import { planRoute } from '../plan/plan.js'
import { placeRoutes } from '../route/router.js'
import { routesShape, type Route } from '../route/route.js'

/** Title, version and other information about the API. */
export interface ApiInfo {
  readonly title: string
  readonly version: string
  readonly summary?: string
  readonly description?: string
  /** The licence of the API: its SPDX identifier or URL. */
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string }
}

export interface ApiDescriptionOptions<Context> {
  readonly schema: GraphQLSchema
  readonly routes: readonly Route<Context>[]
  readonly info: ApiInfo
  /** Where the API is served. Default: '/', relative to the description. */
  readonly servers?: readonly { readonly url: string; readonly description?: string }[]
  /** The security schemes by name, as in OpenAPI. */
  readonly securitySchemes?: { readonly [name: string]: object }
  /**
   * The security requirements of a route; an empty object among them means that credentials are optional.
   * Default: not specified.
   */
  security?(route: Route<never>): Security | undefined
  /** Further parameters of a route, as in OpenAPI, such as a header that a hook reads. Default: none. */
  parameters?(route: Route<never>): readonly object[]
  /**
   * Whether a POST can specify another method in `X-HTTP-Method-Override`. Default: false, as with the
   * handler.
   */
  readonly methodOverride?: boolean
  /** Prefix of problem types. Default: 'urn:graphwire:problem:', as with the handler. */
  readonly problemBase?: string
  /** Path items, by template, of endpoints that are not routes. */
  readonly moreOperations?: PathItems
  /** The JSON Schemas of custom scalars by name. Default: any value. */
  readonly scalars?: ScalarSchemas
  /**
   * The graphql-js module to use, if the schema comes from another copy. Default: the installed peer
   * dependency.
   */
  readonly graphql?: GraphQLModule
}

type ApiServer = NonNullable<ApiDescriptionOptions<never>['servers']>[number]

/** Part of an OpenAPI document, included unchanged. */
const fragment = objectOf<object>('that of OpenAPI', {}, { isOpen: true })

const infoShape = objectOf<ApiInfo>(
  '{ title, version }',
  {
    title: required(aString),
    version: required(aString),
    summary: aString,
    description: aString,
    license: fragment,
  },
  { isOpen: true },
)

const serverShape = objectOf<ApiServer>(
  '{ url }',
  { url: required(aString), description: aString },
  { isOpen: true },
)

/** The valid values of each option. An option without a row does not compile. */
const descriptionShape: Shape = objectOf<ApiDescriptionOptions<never>>('{ schema, routes, info }', {
  // A function would give another for each request. `resolveOptions` checks the rest.
  schema: required({ expected: 'a GraphQLSchema', fits: (value) => typeof value === 'object' }),
  routes: required(routesShape),
  info: required(infoShape),
  servers: listOf('a list of servers', serverShape),
  securitySchemes: recordOf('{ token: { type: "http", scheme: "bearer" } }', fragment),
  security: aFunction,
  parameters: aFunction,
  methodOverride: aBoolean,
  problemBase: aString,
  moreOperations: recordOf('{ "/login": { post: {} } }', fragment),
  scalars: recordOf('{ DateTime: { type: "string" } }', fragment),
  graphql: moduleShape,
})

/**
 * Describes routes as an OpenAPI 3.1 document, as plain data. The same routes and schema give the same
 * document.
 */
export function createApiDescription<Context>(options: ApiDescriptionOptions<Context>): JsonSchema {
  checkOptions('createApiDescription', options, descriptionShape)
  const { schema, moreOperations = {}, scalars = {}, graphql = installedGraphQL } = options
  const { info, servers = [{ url: '/' }], securitySchemes, methodOverride = false } = options
  const { problemBase = usualProblemBase } = options
  const named = new NamedSchemas(scalars, '#/components/schemas/')
  const described = describePaths(planRoutes(graphql, schema, options.routes), {
    named,
    toId: createIdMaker(idsOf(moreOperations)),
    methodOverride,
    securityOf: ({ route }) => options.security?.(route),
    moreParametersOf: ({ route }) => options.parameters?.(route) ?? [],
  })
  // A type in the schema that has this name keeps it.
  const problem = schema.getType('Problem') === undefined ? 'Problem' : 'HttpProblem'
  const paths = mergePaths(described, moreOperations)
  const components = {
    schemas: { ...named.all(), [problem]: problemSchema(problemBase) },
    responses: problemResponses(problem),
  }
  return {
    openapi: '3.1.1',
    info,
    servers,
    paths,
    components: {
      ...usedComponents(paths, components),
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

/** Plans routes as the handler does, with the same errors. */
function planRoutes(
  graphql: GraphQLModule,
  schema: GraphQLSchema,
  routes: readonly Route<never>[],
): readonly DescribedPlan[] {
  const { engine } = createTools(resolveOptions('createApiDescription', { schema, graphql }))
  return placeRoutes(routes).map((placed) =>
    describePlan(planRoute(placed, schema, engine, graphql), schema),
  )
}

interface Components {
  readonly [kind: string]: { readonly [name: string]: unknown }
}

/** The components that paths refer to, directly or through others; kinds without any are left out. */
function usedComponents(paths: JsonSchema, components: Components): Components {
  const used = new Set<string>()
  const follow = (part: unknown): void => {
    const found = JSON.stringify(part).matchAll(/"\$ref":"#\/components\/(\w+)\/(.+?)"/g)
    for (const [, kind = '', name = ''] of found) {
      const component = components[kind]?.[name]
      if (component === undefined || used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      follow(component)
    }
  }
  follow(paths)
  const kept = Object.entries(components).map(([kind, all]) => {
    const some = Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))
    return [kind, Object.fromEntries(some)] as const
  })
  return Object.fromEntries(kept.filter(([, some]) => Object.keys(some).length > 0))
}
