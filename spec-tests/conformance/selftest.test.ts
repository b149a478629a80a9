import { readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { check } from '../../src/conformance/judge/check.js'
import type { EditionName } from '../../src/conformance/suite/editions.js'
import type { Exchange, FieldLine } from '../../src/conformance/wire/exchange.js'
import { fill } from '../../src/conformance/run/fill.js'
import type { Fixture } from '../../src/conformance/suite/fixture.js'
import { resolveChecks } from '../../src/conformance/suite/suite.js'
import type { NamedChecks, WrittenFixture } from '../../src/conformance/suite/suite.js'
import { applicableOf, judge, worst, type Finding } from '../../src/conformance/judge/judge.js'
import { readStatements } from '../../src/conformance/suite/statements.js'
import { fixturesFolder } from '../../src/conformance/suite/fixture-files.js'
import { readSuite } from '../../src/conformance/suite/suite.js'
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
  readonly responses: readonly CannedResponse[]
}

interface CannedResponse {
  readonly status: number
  readonly headers: readonly FieldLine[]
  readonly body?: string
  readonly bodyHex?: string
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

/** Goes through the steps as a run does, with the responses that are given. */
function replay(transcript: Transcript): { finding: Finding | undefined; isPart: boolean } {
  const { edition, values = {} } = transcript
  const statements = readStatements(edition)
  const fixture = findFixture(transcript.case)
  if (applicableOf(fixture, statements, edition).length === 0) {
    return { finding: undefined, isPart: false }
  }
  const waiting = transcript.exchanges.map(toExchange)
  if (fixture.expect !== undefined)
    return { finding: hold(fixture, waiting, edition), isPart: true }
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
    findings.push(...judge(step.expect ?? [], exchange, statements, edition))
  }
  if (waiting.length > 0) throw new Error(`${transcript.id} has exchanges that no step asks for.`)
  return { finding: worst(findings), isPart: true }
}

/** An invariant is held against each response alone; the first that breaks it counts. */
function hold(
  { expect = [] }: Fixture,
  exchanges: readonly Exchange[],
  edition: EditionName,
): Finding | undefined {
  const statements = readStatements(edition)
  for (const response of exchanges.flatMap(({ responses }) => responses)) {
    const exchange = { sent: '', responses: [response] }
    const finding = worst(judge(expect, exchange, statements, edition))
    if (finding !== undefined) return finding
  }
  return undefined
}

for (const { file, transcripts: own } of files) {
  void t.test(`the verdicts of ${file} are right`, async (t) => {
    for (const transcript of own) {
      const { finding, isPart } = replay(transcript)
      const verdict = isPart ? (finding?.verdict ?? 'pass') : null
      t.equal(verdict, transcript.verdict, `${transcript.id}: ${finding?.message ?? 'holds'}`)
      if (verdict !== 'fail' && verdict !== 'warn') continue
      t.equal(finding?.judged.statement?.id, transcript.statement, `${transcript.id}: statement`)
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
  const { assertion, headerCheck, jsonCheck } = schema.$defs
  const { eventsCheck, eventCheck, incrementalCheck } = schema.$defs
  const { body, ...others } = assertion.properties
  const ofStreams = [
    eventsCheck.properties,
    eventCheck.properties,
    eventCheck.properties.data.properties,
    incrementalCheck.properties,
  ]
  const ofResponses = [body.properties, headerCheck.properties, jsonCheck.properties]
  const parts = [others, ...ofResponses, ...ofStreams]
  const names = parts.flatMap((part) => Object.keys(part as object))
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
