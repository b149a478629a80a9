import { withTarget } from '../process/with-target.js'
import { formatResponse } from '../../conformance/wire/content.js'
import type { Exchange } from '../../conformance/wire/exchange.js'
import type { WireRequest } from '../../conformance/wire/to-wire-request.js'
import type { FlagValues } from '../arguments/flag.js'
import type { ExplainFlags } from './explain-flags.js'
import type { CurlRequest } from './curl-request.js'
import { findRules, toRule, type Rule } from './rules.js'
import { statementsOf } from './explain-topic.js'
import { check } from '../../conformance/judge/check.js'
import { applicableOf, judge, type Rules } from '../../conformance/judge/judge.js'
import type { EditionName } from '../../conformance/index.js'
import { readStatements } from '../../conformance/suite/statements.js'
import { readSuite, resolveChecks, type WrittenFixture } from '../../conformance/suite/suite.js'

/** A request to a server, its response, and the sentences about them, as `explain --json` prints them. */
export interface ExplainedExchange {
  readonly url: string
  readonly edition: EditionName
  readonly sent: string
  readonly received: string
  readonly status: number | undefined
  /** The worst come first. */
  readonly touched: readonly {
    readonly rule: Rule
    /** `fail` breaks a MUST, `warn` a SHOULD, and `info` is for your information. */
    readonly verdict: 'pass' | 'fail' | 'warn' | 'info'
    readonly message: string | undefined
  }[]
  readonly aboutStatus: readonly Rule[]
}

export async function explainExchange(
  request: CurlRequest,
  url: URL,
  flags: FlagValues<ExplainFlags>,
): Promise<ExplainedExchange> {
  const edition = flags.edition.value
  const { method, headers, body } = request
  const { target = `${url.pathname}${url.search}` } = request
  const wire: WireRequest = { method, target, headers, body }
  const place = `${url.origin}${url.pathname}`
  const exchange = await withTarget(place, flags, (send) => send(wire))
  const rules = { edition, statements: readStatements(edition) }
  const status = exchange.responses[0]?.status ?? exchange.begun
  return {
    url: url.href,
    edition,
    sent: exchange.sent,
    received: formatReceived(exchange),
    status,
    touched: exchange.responses.length === 0 ? [] : judgeExchange(exchange, rules),
    aboutStatus: findRules(rules.statements, statementsOf(status)),
  }
}

function formatReceived({ responses, failure = 'no response', begun }: Exchange): string {
  const [response] = responses
  if (response !== undefined) return formatResponse(response)
  return begun === undefined ? failure : `HTTP ${begun}, then ${failure}`
}

const order = ['fail', 'warn', 'info', 'pass'] as const

/** Judges an exchange by the invariants of the suite, and by what holds for every request. */
function judgeExchange(exchange: Exchange, rules: Rules) {
  const { invariants, checks } = readSuite()
  const own = { id: 'explain', title: 'What it may expect', expect: expected }
  const fixtures = [...invariants, resolveChecks(own, checks)]
  const judged = fixtures.flatMap((fixture) => applicableOf(fixture, rules))
  const touched = judged.flatMap(({ assertion, statement }): ExplainedExchange['touched'] => {
    const { when = {} } = assertion
    // An assertion whose condition does not hold is not about this exchange.
    if (statement === undefined || check(when, exchange, rules.edition) !== undefined) return []
    const [finding] = judge([assertion], exchange, rules)
    const { verdict = 'pass', message } = finding ?? {}
    return [{ rule: toRule(statement), verdict, message }]
  })
  const sorted = order.flatMap((one) => touched.filter(({ verdict }) => verdict === one))
  const statements = sorted.map(({ rule }) => rule.statement)
  return sorted.filter(({ rule }, at) => statements.indexOf(rule.statement) === at)
}

/* oxlint-disable unicorn/no-thenable -- so the format of the fixtures calls it */
/** What every response must satisfy. */
const expected: NonNullable<WrittenFixture['expect']> = [
  'content-type-of-body',
  { statement: 'R9110-6.6.1', when: { status: ['2xx', '4xx'] }, then: 'http-date' },
  {
    statement: 'SC-4',
    when: { allOf: ['is-graphql-response', 'has-data', { json: { '/errors': { absent: true } } }] },
    then: { status: 200 },
  },
  {
    statement: 'SC-5',
    when: {
      allOf: ['is-graphql-response', 'errors-present', { json: { '/data': { present: true } } }],
    },
    then: 'edition-status-294',
  },
]
