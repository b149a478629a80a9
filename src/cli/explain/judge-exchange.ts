import { isJsonObject } from '../../base/json.js'
import { check } from '../../conformance/judge/check.js'
import { applicableOf, judge } from '../../conformance/judge/judge.js'
import type { EditionName } from '../../conformance/suite/editions.js'
import { fixturesFolder, openFixtures } from '../../conformance/suite/fixture-files.js'
import {
  readSuite,
  resolveChecks,
  type NamedChecks,
  type WrittenFixture,
} from '../../conformance/suite/suite.js'
import type { Exchange } from '../../conformance/wire/exchange.js'
import type { WireRequest } from '../../conformance/wire/to-wire-request.js'
import { parseAccept } from '../../http/accept.js'
import { parseMediaType } from '../../http/media-type.js'
import { preferenceFor } from '../../http/negotiate.js'
import type { Rule, RuleBook } from './rules.js'

/** A sentence that an exchange is about. */
export interface Touched {
  readonly rule: Rule
  /** `fail` breaks a MUST, `warn` a SHOULD, and `info` is for your information. */
  readonly verdict: 'pass' | 'fail' | 'warn' | 'info'
  /** Why it did not pass. */
  readonly message: string | undefined
}

const order = ['fail', 'warn', 'info', 'pass'] as const

/** Judges an exchange by the invariants of the suite, and by what a request of its kind may expect; the worst come first. */
export function judgeExchange(
  request: WireRequest,
  exchange: Exchange,
  edition: EditionName,
  rules: RuleBook,
): readonly Touched[] {
  const { statements } = rules
  const text = openFixtures(fixturesFolder).read('checks.json')
  const own = { id: 'explain', title: 'What it may expect', expect: expectationsOf(request) }
  const fixtures = [...readSuite().invariants, resolveChecks(own, JSON.parse(text) as NamedChecks)]
  const judged = fixtures.flatMap((fixture) => applicableOf(fixture, statements, edition))
  const touched = judged.flatMap(({ assertion, statement }): Touched[] => {
    const { when } = assertion
    // If its condition does not hold, the assertion is not about this exchange.
    if (when !== undefined && check(when, exchange, edition) !== undefined) return []
    const [finding] = judge([assertion], exchange, statements, edition)
    const { verdict = 'pass', message } = finding ?? {}
    return rules.find([statement?.id ?? '']).map((rule) => ({ rule, verdict, message }))
  })
  const sorted = order.flatMap((one) => touched.filter(({ verdict }) => verdict === one))
  const worst = new Map(sorted.toReversed().map((one) => [one.rule.statement, one]))
  return sorted.filter((one) => worst.get(one.rule.statement) === one)
}

type Expected = NonNullable<WrittenFixture['expect']>

/** If a condition holds, so must a check. A literal with such a member would be taken for a promise. */
function ifSo(statement: string, when: Expected[number], consequence: Expected[number]) {
  return { statement, when, [keywords.consequence]: consequence }
}

const keywords = { consequence: 'then' } as const

/** What every request may expect, in the words of the fixtures. */
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

/** What a request of this kind may expect. */
function expectationsOf({ method, target, headers, body }: WireRequest): Expected {
  const field = (name: string): string | undefined =>
    headers.find(([found]) => found.toLowerCase() === name)?.[1]
  const accept = field('accept')
  const contentType = field('content-type')
  const { type, subtype } = parseMediaType(contentType ?? '') ?? {}
  const isJson = body !== undefined && type === 'application' && subtype === 'json'
  const json = body && parse(body)
  const isPost = method === 'POST' && body !== undefined
  const isGet = method === 'GET'
  const parameters = new URL(target, 'http://localhost').searchParams
  const members = isJsonObject(json) ? json : {}
  const query = isGet ? parameters.get('query') : members['query']
  const hasQuery = typeof query === 'string'
  const namesDocument = ['documentId', 'extensions'].some(
    (name) => name in members || parameters.has(name),
  )
  const [graphqlQuality, jsonQuality] = rate(accept)
  const acceptsNothing = Math.max(graphqlQuality, jsonQuality) === 0
  const kinds: readonly (readonly [isOfKind: boolean, ...expect: Expected])[] = [
    [isJson && json === undefined, 'broken-json', 'broken-json-status'],
    [
      !namesDocument && !hasQuery && (isGet || (isJson && json !== undefined)),
      { statement: 'SC-15', check: 'no-data' },
      'malformed-request-status',
    ],
    [
      acceptsNothing && !/text\/|multipart\//i.test(accept ?? ''),
      ifSo('SC-10', 'no-data', { status: 406 }),
    ],
    [graphqlQuality > jsonQuality, ifSo('BD-5', { status: '2xx' }, 'graphql-response-media-type')],
    [jsonQuality > graphqlQuality, ifSo('BD-5', { status: '2xx' }, 'json-media-type')],
    [isPost && contentType === undefined, { statement: 'PO-3', status: '4xx' }],
    [isPost && contentType !== undefined && !isJson, ifSo('SC-9', 'no-data', { status: 415 })],
    [
      isGet && hasQuery && /^(?:[\s,]|#[^\r\n]*[\r\n])*mutation\b/.test(query),
      { statement: 'GET-7', status: '4xx', check: 'no-data' },
      ifSo('GET-8', 'no-data', { status: 405 }),
    ],
    [['PUT', 'PATCH', 'DELETE'].includes(method), ifSo('SC-8', 'no-data', { status: 405 })],
  ]
  return [...always, ...kinds.flatMap(([isOfKind, ...expect]) => (isOfKind ? expect : []))]
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** The weights of application/graphql-response+json and application/json. */
function rate(accept: string | undefined): readonly [graphql: number, json: number] {
  const ranges = parseAccept(accept)
  if (ranges === undefined) return [1, 1]
  const weigh = (subtype: string): number => preferenceFor(ranges, 'application', subtype).quality
  return [weigh('graphql-response+json'), weigh('json')]
}
