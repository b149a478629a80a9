import { isRequestError } from '../../../graphql/errors/request-error.js'
import {
  fieldLines,
  fieldValue,
  isStream,
  type HeaderList,
  type HttpResponse,
} from '../../../http/message.js'
import type { Incoming } from '../../../hosts/node/exchange/incoming.js'
import type { Options } from '../../../index.js'
import { bodyRefusals } from '../../../over-http/body-refusals.js'
import { documentRefusals } from '../../../over-http/document-refusals.js'
import { editions, type EditionName } from '../../../over-http/editions.js'
import { refusals } from '../../../over-http/refusals.js'
import { describeRefusal } from '../../../over-http/response/respond.js'
import { listOffers } from './offers.js'
import { printable } from '../rules/printable.js'
import type { Decision, Road, Step } from './road.js'
import { openRules, type RuleBook } from '../rules/rules.js'
import { stageRows } from './stage-rows.js'
import { listCodes, statementsOf } from '../topics/codes.js'
import { statusRows } from '../topics/statuses.js'
import { isResponse, type Ran, type RoadRequest, type Walk } from './walk-road.js'

/** What the description of a walk depends on. */
interface Told {
  readonly options: Options<Incoming>
  readonly edition: EditionName
  readonly rules: RuleBook
  /** Of the response. */
  readonly status: number
}

/** Puts a walk into words, and adds the sentences that its stages follow. */
export function describeRoad(
  { head, body }: RoadRequest,
  walk: Walk,
  options: Options<Incoming>,
  edition: EditionName,
): Road {
  const { ran, notReached, response, bugs } = walk
  const told = { options, edition, rules: openRules(edition), status: response.status }
  return {
    request: {
      method: head.method,
      target: head.target,
      headers: toLines(head.headers),
      body: body?.length,
    },
    edition,
    steps: ran.map((one) => describeStep(one, told)),
    notReached: notReached.map((name) => stageRows[name].title),
    response: {
      status: response.status,
      headers: toLines(response.headers),
      body: typeof response.body === 'string' ? response.body.slice(0, maxBody) : undefined,
    },
    decision: decide(walk, edition),
    bugs: bugs.map((bug) => printable(bug instanceof Error ? bug.message : String(bug), 1000)),
  }
}

/** As much of a response as people read. */
const maxBody = 4000

function toLines(headers: HeaderList): Road['request']['headers'] {
  return [...fieldLines(headers)]
}

function describeStep(one: Ran, told: Told): Step {
  const { name, exchange } = one
  const row = stageRows[name]
  const ending = describeEnd(one, told)
  const isAccept = name === 'accept'
  const chosen = exchange.encoding.acceptable ? exchange.encoding.success : undefined
  return {
    stage: row.title,
    lookedAt: row.looksAt(exchange, told.options),
    verdict: ending.verdict,
    why: ending.why,
    advice: ending.advice,
    rules: told.rules.find(ending.statements ?? row.follows(exchange)),
    offers: isAccept ? listOffers(fieldValue(exchange.head.headers, 'accept'), chosen) : undefined,
  }
}

interface End extends Pick<Step, 'verdict' | 'why' | 'advice'> {
  /** Undefined: those that the stage follows. */
  readonly statements: readonly string[] | undefined
}

function describeEnd({ stop, threw, name }: Ran, { edition, status }: Told): End {
  const statements = statusRows[status]?.statements
  if (threw) {
    const why = `${name} threw: clients see a masked 500`
    return { verdict: 'failed', why, advice: 'See the bug below.', statements }
  }
  if (stop === undefined) return { verdict: 'passed', ...unsaid }
  if (isResponse(stop)) return { verdict: 'responded', ...unsaid }
  if (isRequestError(stop)) {
    const messages = stop.errors.map(({ message }) => printable(message, 400))
    const code = stop.errors[0]?.extensions?.['code'] ?? codeOf[stop.kind]
    const row = listCodes().find((one) => one.code === code && one.by === 'GraphQL')
    return {
      verdict: 'refused',
      why: messages.slice(0, maxErrors).join(' | '),
      advice: row?.advice,
      statements: row?.statements ?? statements,
    }
  }
  const { message } = describeRefusal(stop, editions[edition])
  return {
    verdict: 'refused',
    why: printable(message, 400),
    advice: refusals[stop.kind].doc[1],
    statements: statementsOf(stop.kind) ?? statements,
  }
}

const maxErrors = 5

const unsaid = { why: undefined, advice: undefined, statements: undefined }

const codeOf = {
  syntax: 'GRAPHQL_PARSE_FAILED',
  validation: 'GRAPHQL_VALIDATION_FAILED',
  operation: 'OPERATION_RESOLUTION_FAILURE',
  variables: 'BAD_USER_INPUT',
  source: 'INTERNAL_SERVER_ERROR',
} as const

/** The row of a table that chose the status of a response. */
function decide({ ran, response: { status } }: Walk, edition: EditionName): Decision {
  const last = ran.at(-1)
  const stop = last?.stop
  if (last === undefined || stop === undefined) {
    return {
      row: 'refusals.internal',
      file: inOverHttp('refusals'),
      says: `${status}: a function threw, or returned something invalid.`,
    }
  }
  const { success } = last.exchange.encoding
  const table = `editions['${edition}']`
  const file = inOverHttp('editions')
  if (isResponse(stop)) return decideResponse(last, stop, table)
  if (isRequestError(stop)) {
    return {
      row: `${table}.requestError['${success}'].${stop.kind}`,
      file,
      says: `${status}: GraphQL refuses the request (${stop.kind}).`,
    }
  }
  const { kind } = stop
  const own = tableOf(kind)
  const [when] = refusals[kind].doc
  return {
    row: `${own.name}['${kind}']`,
    file: inOverHttp(own.file),
    says: `${status}: ${when}`,
  }
}

/** A stage has made the response itself. */
function decideResponse(
  { name, exchange: { encoding, errors } }: Ran,
  { status, body }: HttpResponse,
  table: string,
): Decision {
  if (name === 'options') {
    return {
      row: 'describeMethods',
      file: inOverHttp('response/respond'),
      says: `${status}: OPTIONS lists the methods.`,
    }
  }
  if (name === 'ide') {
    return {
      row: 'ide',
      file: 'src/handler/stages/serve-ide.ts',
      says: `${status}: a browser gets the IDE; nothing is executed.`,
    }
  }
  if (isStream(body)) {
    return {
      row: 'stream',
      file: 'src/handler/stages/stream-response.ts',
      says: `${status}: a stream is 200 whatever it carries.`,
    }
  }
  if (errors.length === 0) {
    return {
      row: 'resultStatus',
      file: inOverHttp('response/respond'),
      says: `${status}: the result has no errors.`,
    }
  }
  return {
    row: `${table}.partial['${encoding.success}']`,
    file: inOverHttp('editions'),
    says: `${status}: the result has data and errors.`,
  }
}

function inOverHttp(name: string): string {
  return `src/over-http/${name}.ts`
}

/** The table that has the row of a refusal. */
function tableOf(kind: string): { readonly name: string; readonly file: string } {
  if (Object.hasOwn(bodyRefusals, kind)) return { name: 'bodyRefusals', file: 'body-refusals' }
  return Object.hasOwn(documentRefusals, kind)
    ? { name: 'documentRefusals', file: 'document-refusals' }
    : { name: 'refusals', file: 'refusals' }
}
