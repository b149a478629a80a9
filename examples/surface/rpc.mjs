// A surface of one's own: POST /rpc/NAME runs a procedure, whose arguments are the body.
import {
  createSurfaceHandler,
  describeStop,
  OwnSurface,
  pathOf,
  prepareOperation,
  readJson,
  runOperation,
  stop,
} from 'graphwire/surface'

/** Makes the handler of procedures: documents by name. The options are those of `createHandler`. */
export function createRpcHandler({ procedures, ...options }) {
  const documents = new Map(Object.entries(procedures))
  const begin = (tools, facts) => new Call(documents, tools, facts)
  return createSurfaceHandler({ methods: ['POST'], ...options }, begin)
}

class Call extends OwnSurface {
  constructor(documents, tools, facts) {
    super(tools, facts)
    const [, name = ''] = /^\/rpc\/(\w+)$/.exec(pathOf(facts.head.target)) ?? []
    this.query = documents.get(name)
    if (this.query !== undefined) this.route = `/rpc/${name}`
  }

  /** From the head of the request to the response, in the order in which things happen. */
  *road(request) {
    const { query, tools, facts } = this
    if (query === undefined) return yield* stop({ kind: 'unknown-procedure' })
    const body = yield* readJson(request, tools, facts)
    if ('refused' in body) return body.refused
    const operation = yield* prepareOperation({ query, variables: body.json }, tools, facts)
    const respond = ({ data, errors }) =>
      errors.length === 0 ? json(200, `{"result":${data}}`) : failure(200, errors)
    return yield* runOperation({ operation, respond }, this, tools, facts)
  }

  /** The response if the road ends early, also for bugs and where the time is up. */
  toResponse(why) {
    if (why.kind === 'unknown-procedure') return failure(404, [{ message: 'No such procedure.' }])
    const { status, errors, headers } = describeStop(why, this.tools.settings, this.facts)
    return failure(status, errors, headers)
  }
}

function failure(status, errors, headers) {
  return json(status, JSON.stringify({ error: errors[0].message }), headers)
}

const always = [
  'Content-Type',
  'application/json',
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
]

function json(status, body, headers = []) {
  return { status, headers: [...always, ...headers], body }
}
