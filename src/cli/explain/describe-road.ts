import { parseAccept, preferenceFor, fieldLines, fieldValue } from '../../http/index.js'
import { isStream, type HttpResponse } from '../../http/message.js'
import { responseTypes } from '../../over-http/response-types.js'
import type { Facts } from '../../surface/index.js'
import { listCodes } from './codes.js'
import { statementsOf } from './explain-topic.js'
import { findRules, printable, type Rule } from './rules.js'
import { readStatements } from '../../conformance/suite/statements.js'
import type { Walk } from './walk.js'

type ShownHeaders = readonly (readonly [name: string, value: string])[]

/** How a request went through the handler, as `explain --json` prints it. */
export interface ExplainedRoad {
  /** Why the response has its status. */
  readonly answer: {
    /** The message that the client gets, or what a function threw. */
    readonly message: string
    readonly cause?: string | undefined
    readonly advice?: string | undefined
    /** The kind of refusal, as its row is named; undefined if the road made the response. */
    readonly row: string | undefined
    readonly rules: readonly Rule[]
  }
  readonly request: {
    readonly method: string
    readonly target: string
    readonly headers: ShownHeaders
    /** In bytes; undefined without a body. */
    readonly body: number | undefined
  }
  readonly edition: string
  readonly steps: readonly RoadStep[]
  /** `body` is only the beginning; undefined for a stream. */
  readonly response: {
    readonly status: number
    readonly headers: ShownHeaders
    readonly body: string | undefined
  }
  /** What functions of the user or the engine threw. Clients see only an id. */
  readonly bugs: readonly string[]
}

interface RoadStep {
  readonly step: Facts['at']
  readonly lookedAt: string
  readonly verdict: 'passed' | 'refused' | 'responded' | 'failed'
}

const maxBody = 4000
const maxErrors = 5

export function describeRoad(walk: Walk): ExplainedRoad {
  const { head, body, edition, ran, response, bugs } = walk
  const last = ran.at(-1) as Facts
  const { statements, ...reason } = findCause(last, response)
  const cited = statementsOf200(last, response) ?? statements
  return {
    answer: { ...reason, row: last.stop?.kind, rules: findRules(readStatements(edition), cited) },
    request: {
      method: head.method,
      target: head.target,
      headers: [...fieldLines(head.headers)],
      body: body?.length,
    },
    edition,
    steps: ran.map((facts) => ({
      step: facts.at,
      lookedAt: looks[facts.at]?.(facts, walk) ?? '',
      verdict: facts === last ? verdictOf(last) : 'passed',
    })),
    response: {
      status: response.status,
      headers: [...fieldLines(response.headers)],
      body: typeof response.body === 'string' ? response.body.slice(0, maxBody) : undefined,
    },
    bugs: bugs.map((bug) => printable(bug instanceof Error ? bug.message : String(bug), 1000)),
  }
}

function verdictOf({ stop }: Facts): RoadStep['verdict'] {
  if (stop === undefined) return 'responded'
  return stop.kind === 'internal' ? 'failed' : 'refused'
}

type Reason = Omit<ExplainedRoad['answer'], 'row' | 'rules'> & {
  readonly statements: readonly string[]
}

/** Where 200 does not depend on the result: an event stream, and application/json before September 2026. */
function statementsOf200({ stop }: Facts, { status, headers }: HttpResponse) {
  if (status !== 200) return undefined
  if (fieldValue(headers, 'content-type')?.startsWith('text/event-stream')) return ['SS-8', 'SS-9']
  return stop === undefined ? undefined : ['LJ-1']
}

function findCause({ at, stop, errors }: Facts, { status, body }: HttpResponse): Reason {
  const messages = errors.slice(0, maxErrors).map((error) => printable(error.message, 400))
  const message = messages.join(' | ')
  if (stop === undefined && errors.length > 0) {
    return { message, cause: 'The result has data and errors.', statements: statementsOf(294) }
  }
  const statements = statementsOf(status)
  if (stop === undefined) {
    if (at === 'ide') {
      return { message: 'A browser gets the IDE; nothing is executed.', statements: ['URL-7'] }
    }
    if (at === 'options') return { message: 'OPTIONS lists the methods.', statements }
    const streamed = 'A stream is 200 whatever it carries.'
    return { message: isStream(body) ? streamed : 'The result has no errors.', statements }
  }
  if (stop.kind === 'internal') {
    const cause = `${at} threw, or returned something invalid: clients see a masked 500.`
    return { message, cause, advice: 'See the bug.', statements }
  }
  const codes = listCodes()
  const row =
    codes.find(({ kind }) => kind === stop.kind) ??
    codes.find(({ code, by }) => by === 'GraphQL' && code === errors[0]?.extensions?.['code'])
  if (row === undefined) return { message, statements }
  const { cause, advice, statements: own } = row
  return { message, cause, advice, statements: own.length === 0 ? statements : own }
}

/** What a step has looked at, where its name does not say it. */
const looks: { readonly [name in Facts['at']]?: (facts: Facts, walk: Walk) => string } = {
  framing: ({ head }) => fields(head, 'Host'),
  ide: ({ head }) => fields(head, 'Accept'),
  requestLine: ({ head }) => printable(`${head.method} ${head.target}`),
  accept: ({ head }) => `${fields(head, 'Accept')} admits ${rateTypes(head)}`,
  content: ({ head }) => fields(head, 'Content-Type', 'Content-Encoding', 'Origin'),
  body: ({ params }, { body }) => `${body?.length ?? 0} bytes${listParams(params)}`,
  url: ({ params }) => `the query of the URL${listParams(params)}`,
  document: ({ documentName: name }) =>
    name === undefined ? 'no name' : printable(name.kind === 'id' ? name.id : name.hash),
  prepare: ({ params, operation }) => {
    const name = operation && `: ${operation.operation} ${operation.name?.value ?? '(anonymous)'}`
    return `a document of ${params?.query.length ?? 0} characters${name ?? ''}`
  },
  cost: ({ cost }) => `a cost of ${cost}`,
  respond: ({ errors }, { response }) =>
    `${fieldValue(response.headers, 'content-type')}, errors: ${errors.length}`,
}

function fields({ headers }: Facts['head'], ...names: readonly string[]): string {
  const sent = names.flatMap((name) => {
    const value = fieldValue(headers, name.toLowerCase())
    return value === undefined ? [] : `${name}: ${printable(value)}`
  })
  return sent.join(', ') || `no ${names.join(', ')}`
}

/** The types that are served and that `Accept` admits, and those that it does not. Without the field, it admits any. */
function rateTypes({ headers }: Facts['head']): string {
  const ranges = parseAccept(fieldValue(headers, 'accept'))
  const accepted: string[] = []
  const refused: string[] = []
  for (const name of [...responseTypes.map((one) => one.name), 'text/event-stream']) {
    const [type = '', subtype = ''] = name.split('/')
    const quality = ranges === undefined ? 1 : preferenceFor(ranges, type, subtype).quality
    if (quality === 0) refused.push(name)
    else accepted.push(quality === 1 ? name : `${name} (q=${quality})`)
  }
  if (accepted.length === 0) return `none of ${refused.join(', ')}`
  return `${accepted.join(', ')}${refused.length === 0 ? '' : `, not ${refused.join(' or ')}`}`
}

function listParams(params: object | undefined): string {
  const sent = Object.entries(params ?? {}).filter(([, value]) => value !== undefined)
  return params === undefined ? '' : `: ${sent.map(([name]) => name).join(', ')}`
}
