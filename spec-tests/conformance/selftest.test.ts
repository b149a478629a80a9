import { readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { check } from '../../src/conformance/judge/check.js'
import type { EditionName } from '../../src/conformance/suite/editions.js'
import type { Exchange, WireResponse } from '../../src/conformance/wire/exchange.js'
import { fill } from '../../src/conformance/run/run-steps.js'
import type { Fixture } from '../../src/conformance/suite/fixture.js'
import { readSuite, resolveChecks } from '../../src/conformance/suite/suite.js'
import type { NamedChecks, WrittenFixture } from '../../src/conformance/suite/suite.js'
import { applicableOf, judge, worst, type Finding } from '../../src/conformance/judge/judge.js'
import { readStatements } from '../../src/conformance/suite/statements.js'
import { fixturesFolder } from '../../src/conformance/suite/fixture-files.js'
import { readFixtures } from './read-fixtures.js'

/** Responses and the verdict that they must get (fixtures/selftest/transcripts). */
interface Transcript {
  readonly id: string
  readonly edition: EditionName
  /** The id of a case, or a case of its own. */
  readonly case: string | WrittenFixture
  readonly values?: Readonly<Record<string, string>>
  /** One for each step that is done and has a response. */
  readonly exchanges: readonly CannedExchange[]
  /** null: the case is no part of the edition. */
  readonly verdict: 'pass' | 'fail' | 'warn' | 'info' | null
  /** What a fail or a warn cites. */
  readonly statement?: string
}

interface CannedExchange extends Pick<Exchange, 'failure' | 'connection' | 'events' | 'faults'> {
  readonly responses: readonly (Pick<WireResponse, 'status' | 'headers'> & {
    readonly body?: string
    readonly bodyHex?: string
  })[]
}

const folder = 'selftest/transcripts/'
const { cases } = readSuite()
const checks = readFixtures('checks.json') as NamedChecks
const files = readdirSync(new URL(folder, fixturesFolder))
  .toSorted()
  .map((file) => ({ file, transcripts: readFixtures(`${folder}${file}`) as Transcript[] }))
const transcripts = files.flatMap((one) => one.transcripts)

/** Members of an assertion that say what it is about, or what it weighs. */
const unjudged = new Set(['statement', 'level', 'info', 'note', 'means'])

function toExchange({ responses, ...rest }: CannedExchange): Exchange {
  return {
    ...rest,
    sent: '',
    responses: responses.map(({ status, headers, body = '', bodyHex }) => ({
      status,
      headers,
      body: bodyHex === undefined ? Buffer.from(body) : Buffer.from(bodyHex, 'hex'),
    })),
  }
}

function findFixture(given: string | WrittenFixture): Fixture {
  if (typeof given !== 'string') return resolveChecks(given, checks)
  const found = cases.find(({ id }) => id === given)
  if (found === undefined) throw new Error(`No case is called ${JSON.stringify(given)}.`)
  return found
}

/** Goes through the steps as a run does, with the responses that are given; null if the case is not of the edition. */
function replay(transcript: Transcript): Finding | undefined | null {
  const { edition, values = {} } = transcript
  const statements = readStatements(edition)
  const fixture = findFixture(transcript.case)
  if (applicableOf(fixture, { statements, edition }).length === 0) return null
  const waiting = transcript.exchanges.map(toExchange)
  if (fixture.expect !== undefined) return hold(fixture, waiting, edition)
  const templates = { 'url.path': '/graphql', 'url.query': '', host: 'localhost', ...values }
  const saved = new Map<string, Exchange>()
  const findings: Finding[] = []
  for (const step of fill(fixture.steps ?? [], templates)) {
    const holds = Object.entries(step.when ?? {}).every(([name, assertion]) => {
      const exchange = saved.get(name)
      return exchange !== undefined && check(assertion, exchange, edition) === undefined
    })
    if (!holds) break
    if (step.wait !== undefined) continue
    const exchange = waiting.shift()
    if (exchange === undefined) throw new Error(`${transcript.id} has too few exchanges.`)
    if (step.save !== undefined) saved.set(step.save, exchange)
    findings.push(...judge(step.expect ?? [], exchange, { statements, edition }))
  }
  if (waiting.length > 0) throw new Error(`${transcript.id} has exchanges that no step asks for.`)
  return worst(findings)
}

/** An invariant is held against each response alone; the first that breaks it counts. */
function hold({ expect = [] }: Fixture, exchanges: readonly Exchange[], edition: EditionName) {
  const statements = readStatements(edition)
  const responses = exchanges.flatMap((one) => one.responses)
  const findings = responses.map((response) =>
    worst(judge(expect, { sent: '', responses: [response] }, { statements, edition })),
  )
  return findings.find((finding) => finding !== undefined)
}

for (const { file, transcripts: own } of files) {
  void t.test(`the verdicts of ${file} are right`, async (t) => {
    for (const transcript of own) {
      const finding = replay(transcript)
      const verdict = finding === null ? null : (finding?.verdict ?? 'pass')
      t.equal(verdict, transcript.verdict, `${transcript.id}: ${finding?.message ?? 'holds'}`)
      if (verdict !== 'fail' && verdict !== 'warn') continue
      t.equal(finding?.spec?.statement, transcript.statement, `${transcript.id}: statement`)
    }
    t.equal(new Set(own.map(({ id }) => id)).size, own.length, 'ids are unique')
  })
}

void t.test('every check of the format is there in both outcomes', async (t) => {
  // oxlint-disable-next-line typescript/no-explicit-any -- a schema, read as deep as it is
  const schema = readFixtures('meta/fixture.schema.json') as any
  const ajv = new Ajv2020({ strict: false }).addSchema(schema, 'fixture')
  const validate = ajv.compile({ $ref: 'fixture#/$defs/case' })
  const seen = { pass: new Set<string>(), fail: new Set<string>() }
  for (const { id, case: one, verdict } of transcripts) {
    if (typeof one === 'string') continue
    t.ok(validate(one), `${id} is a case: ${JSON.stringify(validate.errors)}`)
    if (verdict === 'pass' || verdict === 'fail') collectNames(one, seen[verdict])
  }
  const { assertion, headerCheck, jsonCheck, eventsCheck, eventCheck, incrementalCheck } =
    schema.$defs
  const { body, ...others } = assertion.properties
  const parts = [body, headerCheck, jsonCheck, eventsCheck, eventCheck, incrementalCheck]
  const inner = [...parts, eventCheck.properties.data].map(({ properties }) => properties)
  const names = [others, ...inner].flatMap((part) => Object.keys(part as object))
  for (const name of names.filter((one) => !unjudged.has(one))) {
    t.ok(seen.pass.has(name), `${name} holds somewhere`)
    t.ok(seen.fail.has(name), `${name} breaks somewhere`)
  }
})

function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    names.add(name)
    collectNames(member, names)
  }
}
