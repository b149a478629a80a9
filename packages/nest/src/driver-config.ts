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
