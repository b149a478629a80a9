import { isJsonObject } from '../../../base/json.js'
import { check } from '../../../conformance/judge/check.js'
import { applicableOf, judge, type Judged } from '../../../conformance/judge/judge.js'
import type { EditionName } from '../../../conformance/suite/editions.js'
import type { Fixture } from '../../../conformance/suite/fixture.js'
import { fixturesFolder, openFixtures } from '../../../conformance/suite/fixture-files.js'
import {
  readSuite,
  resolveChecks,
  type NamedChecks,
  type WrittenFixture,
} from '../../../conformance/suite/suite.js'
import type { Exchange } from '../../../conformance/wire/exchange.js'
import type { WireRequest } from '../../../conformance/wire/to-wire-request.js'
import { parseAccept } from '../../../http/accept.js'
import { parseMediaType } from '../../../http/media-type.js'
import { preferenceFor } from '../../../http/negotiate.js'
import type { Rule, RuleBook } from '../rules/rules.js'

/** A sentence that an exchange is about. */
export interface Touched {
  readonly rule: Rule
  /** `fail` breaks a MUST, `warn` a SHOULD, and `info` is for your information. */
  readonly verdict: 'pass' | 'fail' | 'warn' | 'info'
  /** Why it did not pass. */
  readonly message: string | undefined
}

/** Judges an exchange by the invariants of the suite, and by what a request of its kind may expect. */
export function judgeExchange(
  request: WireRequest,
  exchange: Exchange,
  edition: EditionName,
  rules: RuleBook,
): readonly Touched[] {
  const found = new Map<string, Touched>()
  for (const fixture of listFixtures(request)) {
    for (const judged of applicableOf(fixture, rules.statements, edition)) {
      const touched = touch(judged, exchange, edition, rules)
      if (touched === undefined) continue
      const { statement } = touched.rule
      const before = found.get(statement)
      if (before === undefined || rank(touched) < rank(before)) found.set(statement, touched)
    }
  }
  return [...found.values()].toSorted((one, other) => rank(one) - rank(other))
}

function listFixtures(request: WireRequest): readonly Fixture[] {
  const text = openFixtures(fixturesFolder).read('checks.json')
  const expect = expectationsOf(readSent(request))
  const own = { id: 'explain', title: 'What the request may expect', expect }
  return [...readSuite().invariants, resolveChecks(own, JSON.parse(text) as NamedChecks)]
}

/** Undefined if the assertion is not about this exchange: its condition does not hold. */
function touch(
  { assertion, statement }: Judged,
  exchange: Exchange,
  edition: EditionName,
  rules: RuleBook,
): Touched | undefined {
  const [rule] = rules.find([statement?.id ?? ''])
  if (rule === undefined) return undefined
  const { when } = assertion
  if (when !== undefined && check(when, exchange, edition) !== undefined) return undefined
  const [finding] = judge([assertion], exchange, rules.statements, edition)
  return { rule, verdict: finding?.verdict ?? 'pass', message: finding?.message }
}

const order = ['fail', 'warn', 'info', 'pass'] as const

function rank({ verdict }: Touched): number {
  return order.indexOf(verdict)
}

type Expected = NonNullable<WrittenFixture['expect']>

/** What a kind of request must be answered with, in the words of the fixtures. */
interface Habit {
  readonly when: (request: SentRequest) => boolean
  readonly expect: Expected
}

/** A request, with what its parts mean. */
interface SentRequest {
  readonly method: string
  readonly contentType: string | undefined
  readonly accept: string | undefined
  readonly hasBody: boolean
  /** The body as JSON; undefined if it is not. */
  readonly json: unknown
  /** The document, wherever it is. */
  readonly query: unknown
  /** Whether it names a stored document instead. */
  readonly hasDocumentId: boolean
}

type Check = Expected[number]

/** If a condition holds, so must a check. A literal with such a member would be taken for a promise. */
function ifSo(statement: string, when: Check, consequence: Check): Check {
  return { statement, when, [keywords.consequence]: consequence }
}

const keywords = { consequence: 'then' } as const

const always: Expected = [
  'content-type-of-body',
  ifSo('R9110-6.6.1', { status: ['2xx', '4xx'] }, 'http-date'),
  ifSo(
    'SC-4',
    { allOf: ['is-graphql-response', 'has-data', { json: { '/errors': { absent: true } } }] },
    { status: 200 },
  ),
  ifSo(
    'SC-5',
    { allOf: ['is-graphql-response', 'errors-present', { json: { '/data': { present: true } } }] },
    'edition-status-294',
  ),
]

/** The habits of servers that one request can show. */
const habits: readonly Habit[] = [
  { when: () => true, expect: always },
  {
    when: ({ hasBody, contentType, json }) => hasBody && isJson(contentType) && json === undefined,
    expect: ['broken-json', 'broken-json-status'],
  },
  {
    when: ({ method, hasBody, contentType, json, query, hasDocumentId }) =>
      !hasDocumentId &&
      typeof query !== 'string' &&
      (method === 'GET' || (hasBody && isJson(contentType) && json !== undefined)),
    expect: [{ statement: 'SC-15', check: 'no-data' }, 'malformed-request-status'],
  },
  {
    when: ({ accept }) => rate(accept).every((quality) => quality === 0) && !admitsStreams(accept),
    expect: [ifSo('SC-10', 'no-data', { status: 406 })],
  },
  {
    when: ({ accept }) => accept !== undefined && prefers(accept, 0),
    expect: [ifSo('BD-5', { status: '2xx' }, 'graphql-response-media-type')],
  },
  {
    when: ({ accept }) => accept !== undefined && prefers(accept, 1),
    expect: [ifSo('BD-5', { status: '2xx' }, 'json-media-type')],
  },
  {
    when: ({ method, hasBody, contentType }) =>
      method === 'POST' && hasBody && contentType === undefined,
    expect: [{ statement: 'PO-3', status: '4xx' }],
  },
  {
    when: ({ method, hasBody, contentType }) =>
      method === 'POST' && hasBody && contentType !== undefined && !isJson(contentType),
    expect: [ifSo('SC-9', 'no-data', { status: 415 })],
  },
  {
    when: ({ method, query }) =>
      method === 'GET' &&
      typeof query === 'string' &&
      /^(?:[\s,]|#[^\r\n]*[\r\n])*mutation\b/.test(query),
    expect: [
      { statement: 'GET-7', status: '4xx', check: 'no-data' },
      ifSo('GET-8', 'no-data', { status: 405 }),
    ],
  },
  {
    when: ({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method),
    expect: [ifSo('SC-8', 'no-data', { status: 405 })],
  },
]

/** What the suite's checks say about a request of this kind. */
function expectationsOf(request: SentRequest): Expected {
  return habits.filter(({ when }) => when(request)).flatMap(({ expect }) => expect)
}

/** Reads what a request means. */
function readSent({ method, target, headers, body }: WireRequest): SentRequest {
  const field = (name: string): string | undefined =>
    headers.find(([found]) => found.toLowerCase() === name)?.[1]
  const json = body === undefined ? undefined : parse(body)
  const parameters = new URL(target, 'http://localhost').searchParams
  const inBody = isJsonObject(json) ? json : {}
  const names = (name: string): boolean => name in inBody || parameters.has(name)
  return {
    method,
    contentType: field('content-type'),
    accept: field('accept'),
    hasBody: body !== undefined,
    json,
    query: method === 'GET' ? (parameters.get('query') ?? undefined) : inBody['query'],
    hasDocumentId: names('documentId') || names('extensions'),
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function isJson(contentType: string | undefined): boolean {
  const type = contentType === undefined ? undefined : parseMediaType(contentType)
  return type?.type === 'application' && type.subtype === 'json'
}

/** The weights of application/graphql-response+json and application/json. */
function rate(accept: string | undefined): readonly [number, number] {
  const ranges = parseAccept(accept)
  if (ranges === undefined) return [1, 1]
  const weigh = (subtype: string): number => preferenceFor(ranges, 'application', subtype).quality
  return [weigh('graphql-response+json'), weigh('json')]
}

function prefers(accept: string, at: 0 | 1): boolean {
  const weights = rate(accept)
  return weights[at] > weights[at === 0 ? 1 : 0]
}

function admitsStreams(accept: string | undefined): boolean {
  return /text\/|multipart\//i.test(accept ?? '')
}
