import type { IncomingHttpHeaders } from 'node:http'
import type { GqlModuleOptions } from '@nestjs/graphql'
import type { Options } from 'graphwire'
import type { WebSocketOptions } from 'graphwire/websocket'

/** The common part of the requests of Express and Fastify; a type parameter replaces it by the adapter's own type. */
export interface NestRequest {
  readonly headers: IncomingHttpHeaders
}

/** The options of `GraphQLModule.forRoot`, with those of graphwire. */
export interface GraphwireDriverConfig<
  Raw extends NestRequest = NestRequest,
  Principal = unknown,
> extends Omit<GqlModuleOptions, 'context' | 'introspection' | 'debug'> {
  /** The options of `createEndpoint`. Its `context` gets the members `req` and `principal`, unless it has its own. */
  readonly handler?: Omit<Options<Raw, Principal>, 'schema' | 'graphql' | 'path'> | undefined
  /** Whether WebSockets are served at the same path. Default: false. */
  readonly websocket?: boolean | WebSocketOptions | undefined
}

// oxfmt-ignore
const members: { readonly [name in keyof Required<GraphwireDriverConfig>]: true } = {
  driver: true, path: true, useGlobalPrefix: true, handler: true, websocket: true, stopOnApplicationShutdown: true,
  schema: true, typeDefs: true, typePaths: true, autoSchemaFile: true, sortSchema: true, buildSchemaOptions: true,
  definitions: true, metadata: true, include: true, resolvers: true, directiveResolvers: true, fieldResolverEnhancers: true,
  resolverValidationOptions: true, inheritResolversFromInterfaces: true,
  transformSchema: true, transformResolvers: true, transformAutoSchemaFile: true,
}

/** Throws for an option that nothing reads. TypeScript finds none in what a `useFactory` returns. */
export function checkConfig(options: GraphwireDriverConfig): void {
  const surplus = Object.keys(options).find((name) => !Object.hasOwn(members, name))
  if (surplus === undefined) return
  throw new TypeError(
    `GraphwireDriver: ${surplus} is not an option. Those of graphwire belong in handler, such as handler.${surplus}; docs/migration/nestjs.md says what becomes of those of Apollo's driver.`,
  )
}
