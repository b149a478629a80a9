import { createServer } from 'node:http'

const constant = process.env.ANSWER ?? '{"data":{"hello":"Hello, world!"}}'

/** The floor: Node's HTTP, with a constant response; the body is not read. */
export async function raw() {
  const headers = headersOf(constant)
  return createServer((incoming, outgoing) => {
    incoming.resume()
    outgoing.writeHead(200, headers)
    outgoing.end(constant)
  })
}

/** The reference: Node's HTTP, the body read and parsed, and a constant response. */
export async function rawJson() {
  const headers = headersOf(constant)
  return createServer((incoming, outgoing) => {
    readBody(incoming, (text) => {
      const isRequest = incoming.method === 'GET' || typeof JSON.parse(text).query === 'string'
      outgoing.writeHead(isRequest ? 200 : 400, headers)
      outgoing.end(constant)
    })
  })
}

/** A minimal handler on graphql-js: documents are parsed and validated once, and nothing is checked. */
export async function minimal({ createSchema }) {
  const { execute, parse, validate } = await import('graphql')
  // Without a bound, documents that never come again would fill the memory.
  const maxDocuments = 500
  const documents = new Map()
  const schema = createSchema()

  return createServer((incoming, outgoing) => {
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
  })

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
}

/** A server of streams without GraphQL: the floor for both transports. */
export async function bare({ listeners }) {
  const { WebSocketServer } = await import('ws')
  const server = createServer((incoming, outgoing) => {
    incoming.resume()
    outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' })
    outgoing.write(':\n\n')
    const listener = (result) => void outgoing.write(`event: next\ndata: ${result}\n\n`)
    listeners.add(listener)
    outgoing.on('close', () => listeners.delete(listener))
  })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { type, id } = JSON.parse(data)
      if (type === 'connection_init') return socket.send('{"type":"connection_ack"}')
      if (type !== 'subscribe') return
      const listener = (result) => socket.send(`{"id":"${id}","type":"next","payload":${result}}`)
      listeners.add(listener)
      socket.on('close', () => listeners.delete(listener))
    })
  })
  return server
}

/** Collects a body by events, which is the cheapest way, and gives it as text. */
export function readBody(incoming, done) {
  const chunks = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    done((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString())
  })
}

function send(outgoing, status, result) {
  const text = JSON.stringify(result)
  outgoing.writeHead(status, headersOf(text))
  outgoing.end(text)
}

function headersOf(text) {
  return [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
  ]
}
