import type { Server } from 'node:http'
import { AbstractGraphQLDriver } from '@nestjs/graphql'
import * as graphql from 'graphql'
import { createEndpoint, pathOf, type Endpoint } from 'graphwire'
import { toFastifyPlugin, type FastifyPlugin } from 'graphwire/fastify'
import { toNodeListener } from 'graphwire/node'
import { createWebSocketHost, type WebSocketHost } from 'graphwire/websocket'
import { checkConfig, type GraphwireDriverConfig, type NestRequest } from './driver-config.js'
import { filterEvents, type EventFilter, type SubscribeResolver } from './filter-events.js'
import { httpExceptions } from './http-exceptions.js'
import { nestContext } from './nest-context.js'
import { ApplicationStreams } from './application-streams.js'

/** Serves the schema of Nest's resolvers with graphwire, on Express or Fastify. */
export class GraphwireDriver extends AbstractGraphQLDriver<GraphwireDriverConfig> {
  readonly #streams = new ApplicationStreams()
  #sockets: WebSocketHost | undefined

  async start(options: GraphwireDriverConfig): Promise<void> {
    checkConfig(options)
    const { schema, path = '/graphql', handler, websocket = false } = options
    if (schema === undefined) {
      throw new TypeError('GraphwireDriver: the module has no resolvers and no schema.')
    }
    if (options.definitions?.path !== undefined) {
      await this.graphQlFactory.generateDefinitions(graphql.printSchema(schema), options)
    }
    const endpoint = createEndpoint<NestRequest>({
      ...handler,
      schema,
      graphql,
      path,
      context: nestContext(handler?.context),
      use: [...(handler?.use ?? []), httpExceptions],
    })
    await this.#mount(endpoint, path)
    if (websocket !== false) {
      this.#openSockets(createWebSocketHost(endpoint, websocket === true ? {} : websocket), path)
    }
  }

  /** Streams and sockets end in the way that makes their clients connect again. */
  async stop(): Promise<void> {
    this.#streams.shutDown()
    await this.#sockets?.close({ spread: 0 })
  }

  /** How `@Subscription({ filter })` reaches a driver: that of Nest's own base class ignores it. */
  override subscriptionWithFilter(
    resolver: unknown,
    filter: EventFilter,
    createSubscribe: () => SubscribeResolver,
  ): SubscribeResolver {
    const subscribe = createSubscribe()
    return async (...given) =>
      filterEvents(await subscribe(...given), (event) =>
        filter.call(resolver, event, given[1], given[2]),
      )
  }

  async #mount({ handler }: Endpoint<NestRequest>, path: string): Promise<void> {
    const { httpAdapter } = this.httpAdapterHost
    const tracked = this.#streams.track(handler)
    if (httpAdapter.getType() === 'fastify') {
      const { register } = httpAdapter as unknown as { register: Register }
      await register.call(httpAdapter, toFastifyPlugin(tracked as never, { path }))
    } else {
      httpAdapter.all(path, toNodeListener(tracked as never))
    }
  }

  /** Upgrades to other paths are left to gateways, if there are any. Without a listener, they would stay open for ever. */
  #openSockets(sockets: WebSocketHost, path: string): void {
    this.#sockets = sockets
    const server = this.httpAdapterHost.httpAdapter.getHttpServer() as Server
    const byPath = socketsOf.get(server) ?? new Map<string, WebSocketHost>()
    byPath.set(path, sockets)
    // One listener for all modules, so that they are not taken for gateways of each other.
    if (byPath.size > 1) return
    socketsOf.set(server, byPath)
    server.on('upgrade', (incoming, socket, head) => {
      const own = byPath.get(pathOf(incoming.url ?? ''))
      const isAlone = server.listenerCount('upgrade') === 1
      if (own !== undefined || isAlone) (own ?? sockets).upgrade(incoming, socket, head)
    })
  }
}

/** The sockets of the modules of an application, by path. */
const socketsOf = new WeakMap<Server, Map<string, WebSocketHost>>()

type Register = (plugin: FastifyPlugin) => unknown
