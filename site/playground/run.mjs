// The engine in the page: handles a request like `graphwire explain`, without the output for a terminal.
import { buildSchema, GraphQLError } from 'graphql'
import { describeRoad } from '../../src/cli/explain/describe-road.ts'
import { titleOfStatus } from '../../src/cli/explain/explain-topic.ts'
import { walk } from '../../src/cli/explain/walk.ts'
import { isStream } from '../../src/http/message.ts'

const schema = buildSchema(`
  type Query { hello: String, weather: String }
  type Mutation { rename(name: String!): String }
  type Subscription { ticks: Int }
`)

const rootValue = {
  hello: 'world',
  weather() {
    throw new GraphQLError('No signal')
  },
  rename: ({ name }) => name,
  async *ticks() {
    for (const ticks of [3, 2, 1]) {
      yield { ticks }
      await new Promise((resolve) => setTimeout(resolve, 700))
    }
  },
}

/** Answers a request. The pieces of a stream come later; `stop` disconnects. */
export async function run({ method, target, accept, headers, body, edition }, onPiece) {
  const content = method === 'GET' || method === 'HEAD' ? undefined : new TextEncoder().encode(body)
  const lines = [
    ['Host', 'localhost'],
    ...(accept === '' ? [] : [['Accept', accept]]),
    ...headers
      .split('\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
    ...(content === undefined ? [] : [['Content-Length', String(content.length)]]),
  ]
  const head = { method, target, headers: lines.flat().map((text) => text.trim()) }
  const options = { schema, rootValue, path: '/graphql', edition }
  const walked = await walk('createHandler', options, head, content)
  const road = describeRoad(walked)
  const stream = walked.response.body
  const flow =
    isStream(stream) &&
    stream.open({
      write(piece) {
        onPiece(piece)
        return true
      },
      end() {},
      cut() {},
    })
  return {
    ...road,
    title: titleOfStatus(road.response.status),
    text: method === 'HEAD' ? '' : (road.response.body ?? ''),
    stop: () => flow && flow.gone(),
  }
}
