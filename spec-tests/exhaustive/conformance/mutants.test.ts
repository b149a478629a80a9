import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { applicableOf } from '../../../src/conformance/judge/judge.js'
import type { CaseReport } from '../../../src/conformance/suite/report.js'
import type { ConformanceOptions } from '../../../src/conformance/run/run.js'
import { readStatements } from '../../../src/conformance/suite/statements.js'
import { fixturesFolder } from '../../../src/conformance/suite/fixture-files.js'
import { readSuite } from '../../../src/conformance/suite/suite.js'
import { holdAll, noticedIn, show, type Defect } from './defects/defect.js'
import { defects } from './defects/defects.js'
import { formatDefects } from './defects/format-defects.js'
import { largeRequests } from './defects/http-defects.js'
import { runOn, startServer } from './defects/start-server.js'
import { streamDefects } from './defects/streaming.js'

// Many servers, each with runs that wait for what must not come.
t.setTimeout(400_000)

/** How many servers are held against the suite at once. */
const atOnce = 6

/** Capabilities that the reference server has not; what needs one of them is skipped. */
const missing = new Set([
  ...'apq batch cors corsList documentId etag heartbeats http2 query'.split(' '),
  ...'requestTimeout sse-single uploads websocket variablesJsonl batchJsonl'.split(' '),
])

/** With these defects answers do not come, so that each probe waits. */
const hanging = new Set([
  'length-too-long',
  'connection-dead-after-an-error',
  'large-request-unanswered',
  'unanswered-after-a-large-request',
])

const edition = '2026-09'
const suite = readSuite()
const all = [...suite.cases, ...suite.invariants]

/** Where invariants are broken, if they are: a success, request errors and field errors. */
const context = [
  ...'core.post core.json errors.syntax errors.field'.split(' '),
  ...'errors.data-null errors.method get.mutation'.split(' '),
]

/** Runs the suite against a server of its own. */
async function hold(options: Omit<ConformanceOptions, 'url'>, defect?: Defect) {
  const server = await startServer(defect?.transformation)
  return (await runOn(server, { ...options, standard: true })).cases
}

/** The cases that a row names, those they depend on, and what the invariants among them need. */
function casesFor({ noticedBy }: Defect): readonly string[] {
  const wanted = new Set(noticedBy)
  for (const id of wanted) {
    for (const needed of all.find((one) => one.id === id)?.dependsOn ?? []) wanted.add(needed)
  }
  return noticedBy.some((id) => id.startsWith('invariant.')) ? [...wanted, ...context] : [...wanted]
}

/** What waits comes first, so that it does not stand alone at the end. */
function weightOf({ name, noticedBy }: Defect): number {
  if (hanging.has(name)) return 2
  return noticedBy.some((id) => id.startsWith('raw.')) ? 1 : 0
}

function isFinding({ verdict }: CaseReport): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'error'
}

void t.test('nothing is reported about a server without a defect', async (t) => {
  const cases = await hold({ concurrency: 8 })
  const noticed = noticedIn(cases)
  const isOdd = (one: CaseReport) =>
    largeRequests.includes(one.id) ? noticed.has(one.id) : isFinding(one)
  t.strictSame(cases.filter(isOdd).map(show), [])
  for (const { id, message } of cases.filter(({ verdict }) => verdict === 'skip')) {
    const capability = /^the target has no ([\w-]+)$/.exec(message)?.[1] ?? ''
    const isHad = /^the target has (?:get|gqlResponse)$/.test(message)
    t.ok(missing.has(capability) || isHad, `${id}: ${message}`)
  }
  const statements = readStatements(edition)
  const part = all.filter((one) => applicableOf(one, { statements, edition }).length > 0)
  t.equal(cases.length, part.length, 'every case of the edition is in the report')
})

void t.test('each defect is noticed and named', async (t) => {
  const waiting = defects.toSorted((a, b) => weightOf(b) - weightOf(a))
  const found = await holdAll(waiting, atOnce, (defect) => {
    const timeout = hanging.has(defect.name) ? 400 : 5000
    return hold({ cases: casesFor(defect), concurrency: 4, timeout }, defect)
  })
  for (const [{ name, noticedBy }, cases] of found) {
    const ids = noticedIn(cases)
    t.not(noticedBy.length, 0, `${name} is to be noticed`)
    for (const id of noticedBy) t.ok(ids.has(id), `${name} is noticed by ${id}`)
    const faults = cases.filter(({ verdict }) => verdict === 'error')
    t.strictSame(faults.map(show), [], `${name} is no fault of the runner`)
  }
})

void t.test('the list of defects is that of mutants.md', async (t) => {
  const url = new URL('selftest/mutants.md', fixturesFolder)
  const page = formatDefects(defects, streamDefects)
  if (process.env['UPDATE'] === '1') writeFileSync(url, page)
  t.equal(readFileSync(url, 'utf8'), page, 'UPDATE=1 writes it')
})
