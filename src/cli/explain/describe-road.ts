import { isRequestError } from '../../graphql/errors/request-error.js'
import type { Step } from '../../handler/road/facts.js'
import { parseAccept, type AcceptRange } from '../../http/accept.js'
import { fieldLines, fieldValue, isStream, type HttpResponse } from '../../http/message.js'
import { findRange, specificity } from '../../http/negotiate.js'
import { bodyRefusals } from '../../over-http/body-refusals.js'
import { denials } from '../../over-http/denials.js'
import { documentRefusals } from '../../over-http/document-refusals.js'
import { editions, type EditionName } from '../../over-http/editions.js'
import { responseTypes } from '../../over-http/response-types.js'
import { createEncodingChooser, type Encoding } from '../../over-http/response/choose-encoding.js'
import { listCodes, type CodeRow } from './codes.js'
import { statementsOf } from './explain-topic.js'
import { openRules, printable, type Rule } from './rules.js'
import { listSteps, stepRows, type StepFacts } from './step-rows.js'
import type { Walk } from './walk.js'

type ShownHeaders = readonly (readonly [name: string, value: string])[]

/** How a request went through the handler, as `explain --json` prints it. */
export interface ExplainedRoad {
  /** Why the response has its status. */
  readonly answer: {
    /** What the client is told, or what a function threw. */
    readonly message: string
    readonly cause: string | undefined
    readonly advice: string | undefined
    /** The row of a table that chose the status, or the step that responded. */
    readonly row: string
    readonly file: string
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
  /** The steps that were not reached. */
  readonly notReached: readonly string[]
  /** The body is its beginning; undefined for a stream. */
  readonly response: {
    readonly status: number
    readonly headers: ShownHeaders
    readonly body: string | undefined
  }
  /** What functions of the user or the engine threw. Clients see only an id. */
  readonly bugs: readonly string[]
}

/** One step. */
export interface RoadStep {
  readonly step: Step
  readonly lookedAt: string
  readonly verdict: 'passed' | 'refused' | 'responded' | 'failed'
  readonly rules: readonly Rule[]
  /** Of the step that reads `Accept`: how it rates each type that is served; * marks the chosen one. */
  readonly offers: readonly string[]
}

/** Puts a walk into words, and adds the sentences that its steps follow. */
export function describeRoad({
  head,
  body,
  options,
  edition,
  ran,
  response,
  bugs,
}: Walk): ExplainedRoad {
  const rules = openRules(edition)
  const hasBody = head.method !== 'GET' && head.method !== 'HEAD'
  const accept = fieldValue(head.headers, 'accept')
  const encoding = createEncodingChooser(editions[edition])(accept)
  const size = body?.length ?? 0
  const stepFacts = ran.map((facts): StepFacts => ({ ...facts, size, hasBody, encoding, options }))
  const last = stepFacts.at(-1) as StepFacts
  const reached = new Set(stepFacts.map(({ at }) => at))
  const { statements, ...reason } = findReason(last, response)
  return {
    answer: { ...reason, ...findRow(last, edition), rules: rules.find(statements) },
    request: {
      method: head.method,
      target: head.target,
      headers: [...fieldLines(head.headers)],
      body: body?.length,
    },
    edition,
    steps: stepFacts.map((one) => {
      const [looksAt, ...follows] = stepRows[one.at]
      return {
        step: one.at,
        lookedAt: looksAt(one),
        verdict: one === last ? verdictOf(last) : 'passed',
        rules: rules.find(follows),
        offers: one.at === 'accept' ? listOffers(accept, encoding) : [],
      }
    }),
    notReached: listSteps(last).filter((name) => !reached.has(name)),
    response: {
      status: response.status,
      headers: [...fieldLines(response.headers)],
      body: typeof response.body === 'string' ? response.body.slice(0, maxBody) : undefined,
    },
    bugs: bugs.map((bug) => printable(bug instanceof Error ? bug.message : String(bug), 1000)),
  }
}

/** As much of a response as people read. */
const maxBody = 4000

/** As many errors as they read. */
const maxErrors = 5

function verdictOf({ stop }: StepFacts): RoadStep['verdict'] {
  if (stop === undefined) return 'responded'
  return stop.kind === 'internal' ? 'failed' : 'refused'
}

type Reason = Pick<ExplainedRoad['answer'], 'message' | 'cause' | 'advice'> &
  Pick<CodeRow, 'statements'>

/** Why a request got its status. */
function findReason({ at, stop, errors }: StepFacts, { status, body }: HttpResponse): Reason {
  const [{ extensions } = {}] = errors
  const told = errors.slice(0, maxErrors).map(({ message }) => printable(message, 400))
  const message = told.join(' | ')
  if (stop === undefined) {
    const isPartial = errors.length > 0
    return {
      message: isPartial ? message : describeSuccess(at, isStream(body)),
      cause: isPartial ? 'The result has data and errors.' : undefined,
      advice: undefined,
      statements: at === 'ide' ? ['URL-7'] : statementsOf(isPartial ? 294 : status),
    }
  }
  if (stop.kind === 'internal') {
    const cause = `${at} threw, or returned something invalid: clients see a masked 500.`
    return { message, cause, advice: 'See the bug.', statements: statementsOf(status) }
  }
  const codes = listCodes()
  const row =
    codes.find(({ kind }) => kind === stop.kind) ??
    codes.find(({ code, by }) => by === 'GraphQL' && code === extensions?.['code'])
  const statements = row?.statements.length === 0 ? undefined : row?.statements
  return {
    message,
    cause: row?.cause,
    advice: row?.advice,
    statements: statements ?? statementsOf(status),
  }
}

function describeSuccess(at: Step, isStreamed: boolean): string {
  if (at === 'options') return 'OPTIONS lists the methods.'
  if (at === 'ide') return 'A browser gets the IDE; nothing is executed.'
  return isStreamed ? 'A stream is 200 whatever it carries.' : 'The result has no errors.'
}

/** What chose the status: a row of a table, or a step that responded. */
function findRow({ at, stop, errors, encoding, options }: StepFacts, edition: EditionName) {
  const ruleOf = (name: string) => ({
    row: `rules['${edition}'].${name} of ${encoding.success.name}`,
    file: 'src/over-http/response-types.ts',
  })
  if (stop === undefined) {
    // A stream is 200 whatever it carries.
    if (errors.length === 0 || encoding.single !== 'json') {
      return { row: at, file: 'src/handler/graphql-road.ts' }
    }
    return options.partialSuccessStatus === 200
      ? { row: 'edition.partial', file: 'src/over-http/editions.ts' }
      : ruleOf('partial')
  }
  const { kind } = stop
  if (isRequestError(stop)) return ruleOf(`requestError.${kind}`)
  const [table, file] = tables.find(([, , rows]) => Object.hasOwn(rows, kind)) ?? whole
  return { row: `${table}['${kind}']`, file: `src/over-http/${file}.ts` }
}

const tables = [
  ['bodyRefusals', 'body-refusals', bodyRefusals],
  ['documentRefusals', 'document-refusals', documentRefusals],
  ['denials', 'denials', denials],
] as const
const whole = ['refusals', 'refusals'] as const

/** What `Accept` says about each type that is served. Without the field, any is accepted. */
function listOffers(accept: string | undefined, { single, success }: Encoding): readonly string[] {
  const chosen = { json: success.name, 'event-stream': 'text/event-stream' }
  const ranges = parseAccept(accept)
  return [...responseTypes.map(({ name }) => name), 'text/event-stream'].map((name) => {
    const [type = '', subtype = ''] = name.split('/')
    const range = ranges && findRange(ranges, type, subtype)
    const quality = range?.quality ?? (ranges === undefined ? 1 : 0)
    const without = ranges === undefined ? 'no Accept: any type' : 'no range matches'
    const by =
      range === undefined
        ? without
        : `by ${formatRange(range)}, specificity ${specificity(range, type, subtype)}`
    const sign = single !== undefined && chosen[single] === name ? '*' : ' '
    return `${sign} ${name.padEnd(33)} q=${String(quality).padEnd(5)} ${by}`
  })
}

function formatRange({ type, subtype, parameters, quality }: AcceptRange): string {
  const pairs = parameters.map(([name, value]) => `;${name}=${value}`).join('')
  return printable(`${type}/${subtype}${pairs}${quality === 1 ? '' : `;q=${quality}`}`)
}
