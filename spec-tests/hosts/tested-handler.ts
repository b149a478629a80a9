import { buildSchema } from 'graphql'
import { createHandler, type OperationRequest } from '../../src/index.js'
import { uploads, type Upload } from '@graphwire/uploads'
import { createQueue } from '../base/queue.js'
import { thrower } from '../base/thrower.js'

export type TestedHandler = ReturnType<typeof createTestedHandler>

/** Not UTF-8: a body of bytes, for a client that accepts text/html. */
export const allBytes: Uint8Array = Uint8Array.from({ length: 256 }, (_, at) => at)

export const maxBodyBytes = 10_000

const page = { status: 200, headers: ['Content-Type', 'font/ttf'], body: allBytes }

/** Makes a handler that shows everything a host can get wrong; every host gets one of its own. */
export function createTestedHandler() {
  const bugs: unknown[] = []
  const arrived = createQueue<{ signal: AbortSignal; finish: (value: string) => void }>()
  let count = 0
  const handler = createHandler({
    schema: buildSchema(sdl),
    maxBodyBytes,
    uploads: uploads(),
    ide: { page: () => page, asset: () => undefined },
    onBug: (bug) => bugs.push(bug),
    context: (request) => {
      if (request.header('x-boom') !== undefined) throw new Error('secret of the context')
      return request
    },
    rootValue: {
      echo: ({ text }: { text: string }) => text,
      later: async ({ text }: { text: string }) => text,
      fail: thrower(new Error('secret of the resolver')),
      cookies: (_: unknown, { responseHeaders }: OperationRequest) => {
        responseHeaders.append('Set-Cookie', 'first=1; Path=/')
        responseHeaders.append('Set-Cookie', 'second=2; Expires=Wed, 01 Jan 2120 00:00:00 GMT')
        return 'baked'
      },
      lines: (_: unknown, { responseHeaders }: OperationRequest) => {
        responseHeaders.append('Content-Language', 'de')
        responseHeaders.append('Content-Language', 'en')
        return 'several'
      },
      count: () => ++count,
      receive: async ({ file }: { file: Upload }) =>
        new Response((await file.open()).stream).text(),
      ignore: () => true,
      wait: (_: unknown, { signal }: OperationRequest) =>
        new Promise<string>((finish) => arrived.put({ signal, finish })),
    },
  })
  return { handler, bugs, count: () => count, nextWaiting: arrived.next }
}

const sdl = `
  type Query {
    echo(text: String!): String!  later(text: String!): String!
    fail: String  cookies: String!  lines: String!  wait: String!
  }
  scalar Upload
  type Mutation { receive(file: Upload!): String! ignore(file: Upload!): Boolean! count: Int! }
`
