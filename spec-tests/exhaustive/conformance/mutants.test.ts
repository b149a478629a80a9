import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { applicableOf } from '../../../src/conformance/judge/judge.js'
import type { CaseReport } from '../../../src/conformance/suite/report.js'
import { runConformance, type ConformanceOptions } from '../../../src/conformance/run/run.js'
import { readStatements } from '../../../src/conformance/suite/statements.js'
import { fixturesFolder } from '../../../src/conformance/suite/fixture-files.js'
import { readSuite } from '../../../src/conformance/suite/suite.js'
import type { Defect } from './defects/defect.js'
import { defects } from './defects/defects.js'
import { formatDefects } from './defects/format-defects.js'
import { largeRequests } from './defects/http-defects.js'
import { startServer } from './defects/start-server.js'
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
const context =
  'core.post core.json errors.syntax errors.field errors.data-null errors.method get.mutation'.split(
    ' ',
  )

/** Runs the suite against a server of its own. */
async function hold(
  defect: Defect | undefined,
  options: Omit<ConformanceOptions, 'url'>,
): Promise<readonly CaseReport[]> {
  const server = await startServer(defect?.transformation)
  try {
    const report = await runConformance({ ...options, url: server.url, standard: true })
    return report.cases
  } finally {
    await server.stop()
  }
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

/** What no text demands is information, and noticed all the same. */
function isNoticed(one: CaseReport): boolean {
  return isFinding(one) || one.verdict === 'info'
}

function isFinding({ verdict }: CaseReport): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'error'
}

void t.test(
  'nothing is reported about a server without a defect',
  { timeout: 120_000 },
  async (t) => {
    const cases = await hold(undefined, { concurrency: 8 })
    const limits = new Set<string>(largeRequests)
    const odd = cases.filter((one) => (limits.has(one.id) ? isNoticed(one) : isFinding(one)))
    for (const one of odd) t.fail(`${one.id}: ${one.message}`)
    for (const { id, message } of cases.filter(({ verdict }) => verdict === 'skip')) {
      const capability = /^the target has no ([\w-]+)$/.exec(message)?.[1] ?? ''
      const isHad = /^the target has (?:get|gqlResponse)$/.test(message)
      t.ok(missing.has(capability) || isHad, `${id}: ${message}`)
    }
    const statements = readStatements(fixturesFolder, edition)
    const part = all.filter((one) => applicableOf(one, statements, edition).length > 0)
    t.equal(cases.length, part.length, 'every case of the edition is in the report')
  },
)

void t.test('each defect is noticed and named', { timeout: 300_000 }, async (t) => {
  const found = new Map<Defect, readonly CaseReport[]>()
  const waiting = defects.toSorted((a, b) => weightOf(b) - weightOf(a))
  const work = async (): Promise<void> => {
    for (let defect = waiting.shift(); defect !== undefined; defect = waiting.shift()) {
      const timeout = hanging.has(defect.name) ? 400 : 5000
      const options = { cases: casesFor(defect), concurrency: 4, timeout }
      found.set(defect, await hold(defect, options))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  for (const defect of defects) {
    const findings = (found.get(defect) ?? []).filter(isNoticed)
    const ids = new Set(findings.map(({ id }) => id))
    t.not(defect.noticedBy.length, 0, `${defect.name} is to be noticed`)
    for (const id of defect.noticedBy) t.ok(ids.has(id), `${defect.name} is noticed by ${id}`)
    const faults = findings.filter(({ verdict }) => verdict === 'error')
    t.strictSame(faults, [], `${defect.name} is no fault of the runner`)
  }
})

void t.test('the list of defects is that of mutants.md', async (t) => {
  const url = new URL('selftest/mutants.md', fixturesFolder)
  const page = formatDefects(defects, streamDefects)
  if (process.env['UPDATE'] === '1') writeFileSync(url, page)
  t.equal(readFileSync(url, 'utf8'), page, 'UPDATE=1 writes it')
})
