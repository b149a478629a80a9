import { isRequestError } from '../../../graphql/errors/request-error.js'
import type { Stop } from '../../../handler/road/road.js'
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
import { createEncodingChooser } from '../../../over-http/response/choose-encoding.js'
import { listSteps, stepRows, type Known } from './step-rows.js'
import { listCodes, statementsOf } from '../topics/codes.js'
import { statusRows } from '../topics/statuses.js'
import type { Ran, RoadRequest, Walk } from './walk-road.js'

/** What the description of a walk depends on. */
interface Told {
  readonly options: Options<Incoming>
  readonly edition: EditionName
  readonly rules: RuleBook
  /** Of the response. */
  readonly status: number
}

/** Puts a walk into words, and adds the sentences that its steps follow. */
export function describeRoad(
  { head, body }: RoadRequest,
  walk: Walk,
  options: Options<Incoming>,
  edition: EditionName,
): Road {
  const { ran, response, bugs } = walk
  const told = { options, edition, rules: openRules(edition), status: response.status }
  const hasBody = head.method !== 'GET' && head.method !== 'HEAD'
  const encoding = createEncodingChooser(editions[edition])(fieldValue(head.headers, 'accept'))
  const toKnown = ({ facts }: Ran): Known => ({ ...facts, size: body?.length, hasBody, encoding })
  const known = ran.map(toKnown)
  return {
    request: {
      method: head.method,
      target: head.target,
      headers: toLines(head.headers),
      body: body?.length,
    },
    edition,
    steps: known.map((one, at) => describeStep(one, at === known.length - 1, told)),
    notReached: listSteps(options, hasBody)
      .slice(ran.length)
      .map((name) => stepRows[name].title),
    response: {
      status: response.status,
      headers: toLines(response.headers),
      body: typeof response.body === 'string' ? response.body.slice(0, maxBody) : undefined,
    },
    decision: decide(known.at(-1), response, edition),
    bugs: bugs.map((bug) => printable(bug instanceof Error ? bug.message : String(bug), 1000)),
  }
}

/** As much of a response as people read. */
const maxBody = 4000

function toLines(headers: HeaderList): Road['request']['headers'] {
  return [...fieldLines(headers)]
}

function describeStep(known: Known, isLast: boolean, told: Told): Step {
  const row = stepRows[known.at]
  const ending = isLast ? describeEnd(known, told) : passed
  const chosen = known.encoding.acceptable ? known.encoding.success.name : undefined
  return {
    stage: row.title,
    lookedAt: row.looksAt(known, told.options),
    verdict: ending.verdict,
    why: ending.why,
    advice: ending.advice,
    rules: told.rules.find(ending.statements ?? row.follows(known)),
    offers:
      known.at === 'accept'
        ? listOffers(fieldValue(known.head.headers, 'accept'), chosen)
        : undefined,
  }
}

interface End extends Pick<Step, 'verdict' | 'why' | 'advice'> {
  /** Undefined: those that the stage follows. */
  readonly statements: readonly string[] | undefined
}

function describeEnd({ at, stop: why }: Known, { edition, status }: Told): End {
  const statements = statusRows[status]?.statements
  if (why === undefined) return { ...passed, verdict: 'responded' }
  const stop = why as Stop
  if (stop.kind === 'internal') {
    const message = `${at} threw: clients see a masked 500`
    return { verdict: 'failed', why: message, advice: 'See the bug below.', statements }
  }
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

const passed: End = { verdict: 'passed', why: undefined, advice: undefined, statements: undefined }

const codeOf = {
  syntax: 'GRAPHQL_PARSE_FAILED',
  validation: 'GRAPHQL_VALIDATION_FAILED',
  operation: 'OPERATION_RESOLUTION_FAILURE',
  variables: 'BAD_USER_INPUT',
  source: 'INTERNAL_SERVER_ERROR',
} as const

/** The row of a table that chose the status of a response. */
function decide(last: Known | undefined, response: HttpResponse, edition: EditionName): Decision {
  const { status } = response
  const stop = last?.stop as Stop | undefined
  if (last === undefined || stop?.kind === 'internal') {
    return {
      row: 'refusals.internal',
      file: inOverHttp('refusals'),
      says: `${status}: a function threw, or returned something invalid.`,
    }
  }
  const { success } = last.encoding
  const table = `editions['${edition}']`
  const file = inOverHttp('editions')
  if (stop === undefined) return decideResponse(last, response, table)
  if (isRequestError(stop)) {
    return {
      row: `${table}.requestError['${success.name}'].${stop.kind}`,
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

/** A step has made the response itself. */
function decideResponse(
  { at, encoding, errors }: Known,
  { status, body }: HttpResponse,
  table: string,
): Decision {
  if (at === 'options') {
    return {
      row: 'describeMethods',
      file: inOverHttp('response/respond'),
      says: `${status}: OPTIONS lists the methods.`,
    }
  }
  if (at === 'ide') {
    return {
      row: 'ide',
      file: 'src/handler/steps/serve-ide.ts',
      says: `${status}: a browser gets the IDE; nothing is executed.`,
    }
  }
  if (isStream(body)) {
    return {
      row: 'stream',
      file: 'src/handler/steps/stream-response.ts',
      says: `${status}: a stream is 200 whatever it carries.`,
    }
  }
  if (errors.length === 0) {
    return {
      row: 'respond',
      file: inOverHttp('response/respond'),
      says: `${status}: the result has no errors.`,
    }
  }
  return {
    row: `${table}.partial['${encoding.success.name}']`,
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
