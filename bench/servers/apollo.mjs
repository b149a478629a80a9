// On bare node:http, as its documentation says of integrations: without Express, CORS and body-parser.
import { createServer } from 'node:http'
import { ApolloServer, HeaderMap } from '@apollo/server'
import { createSchema } from './people.mjs'
import { port, ready } from './place.mjs'
import { readBody } from './read-body.mjs'

const server = new ApolloServer({ schema: createSchema() })
await server.start()
createServer((incoming, outgoing) => {
  readBody(incoming, (text) => void answer(incoming, outgoing, text))
}).listen(port, '127.0.0.1', () => ready())

async function answer({ method, url, headers }, outgoing, text) {
  const mark = url.indexOf('?')
  const {
    status,
    headers: given,
    body,
  } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method,
      headers: new HeaderMap(Object.entries(headers)),
      search: mark < 0 ? '' : url.slice(mark),
      body: method === 'GET' ? undefined : JSON.parse(text),
    },
    context: async () => ({}),
  })
  outgoing.writeHead(status ?? 200, [...given].flat())
  outgoing.end(body.string)
}
