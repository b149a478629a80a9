// What one writes by hand with graphql-js: documents are parsed and validated once, and nothing is checked.
import { createServer } from 'node:http'
import { execute, parse, validate, version } from 'graphql'
import { createSchema } from './people.mjs'
import { port, ready } from './place.mjs'
import { readBody } from './read-body.mjs'

// Without a bound documents that never come again would fill the memory, and the reference with them.
const maxDocuments = 500
const documents = new Map()
const schema = createSchema()

createServer((incoming, outgoing) => {
  if (incoming.method === 'GET') {
    const parameters = new URLSearchParams(incoming.url.slice(incoming.url.indexOf('?')))
    const variables = parameters.get('variables')
    const variableValues = variables === null ? undefined : JSON.parse(variables)
    return answer(outgoing, parameters.get('query'), variableValues)
  }
  readBody(incoming, (text) => {
    const { query, variables } = JSON.parse(text)
    answer(outgoing, query, variables)
  })
}).listen(port, '127.0.0.1', () => ready(version))

function answer(outgoing, query, variableValues) {
  const { document, errors } = find(query)
  if (errors.length > 0) return send(outgoing, 400, { errors })
  const result = execute({ schema, document, variableValues })
  if (result instanceof Promise) return void result.then((late) => send(outgoing, 200, late))
  send(outgoing, 200, result)
}

function find(query) {
  let known = documents.get(query)
  if (known === undefined) {
    const document = parse(query)
    known = { document, errors: validate(schema, document) }
    if (documents.size === maxDocuments) documents.clear()
    documents.set(query, known)
  }
  return known
}

function send(outgoing, status, result) {
  const text = JSON.stringify(result)
  outgoing.writeHead(status, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
  ])
  outgoing.end(text)
}
