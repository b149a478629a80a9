import type { GraphQLFieldResolver, GraphQLObjectType } from 'graphql'
import type { Test } from 'tap'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createEndpoint, type Endpoint, type GraphQLModule, type Options } from '../../src/index.js'
import { majors } from '../graphql/majors.js'

type Resolver = GraphQLFieldResolver<unknown, never> | (() => unknown)

/** Makes an endpoint with one of the majors of graphql-js. Resolvers of `Subscription` subscribe. */
export type MakeEndpoint = (
  sdl: string,
  resolvers: { readonly [type: string]: { readonly [field: string]: Resolver } },
  options?: Partial<Options<never, never>>,
) => Endpoint

export function onBothMajors(
  t: Test,
  title: string,
  run: (t: Test, make: MakeEndpoint, module: (typeof majors)[number][1]) => Promise<void>,
): void {
  for (const [name, module] of majors) {
    const make: MakeEndpoint = (sdl, resolvers, options = {}) => {
      const schema = module.buildSchema(sdl)
      for (const [type, fields] of Object.entries(resolvers)) {
        for (const [of, resolver] of Object.entries(fields)) {
          const field = (schema.getType(type) as GraphQLObjectType).getFields()[of]
          const hook = type === 'Subscription' ? 'subscribe' : 'resolve'
          Object.assign(field as object, { [hook]: resolver })
        }
      }
      const graphql = module as unknown as GraphQLModule
      return createEndpoint({ schema, graphql, ...options } as Options)
    }
    void t.test(`${title} (${name})`, { buffered: true }, async (t) => run(t, make, module))
  }
}

export async function readStream(endpoint: Endpoint, request: TestRequest): Promise<string> {
  const headers = { Accept: 'text/event-stream', ...request.headers }
  const response = await testClient(endpoint.handler)({ ...request, headers })
  if (response.stream === undefined) return response.body
  // The clock of the streams does not keep a process alive; sockets do.
  const alive = setInterval(() => undefined, 1000)
  return new Response(response.stream).text().finally(() => clearInterval(alive))
}

export function dataOf(stream: string): unknown[] {
  return [...stream.matchAll(/^data: (.+)$/gm)].map(([, json = '']) => JSON.parse(json) as unknown)
}

export async function* sourceOf<Event>(...events: readonly Event[]): AsyncGenerator<Event> {
  yield* events
}
