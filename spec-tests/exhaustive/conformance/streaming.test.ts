import t from 'tap'
import type { CaseReport, Report } from '../../../src/conformance/suite/report.js'
import { runConformance } from '../../../src/conformance/run/run.js'
import { readSuite } from '../../../src/conformance/suite/suite.js'
import type { Defect, Transformation } from './defects/defect.js'
import { otherProtocol } from './defects/parts-defects.js'
import { startStreamingServer, streamDefects } from './defects/streaming.js'

// Many servers, each with runs that wait for what must not come.
t.setTimeout(400_000)
// Defects leave connections open, which would keep the process.
t.teardown(() => setTimeout(() => process.exit(), 1000))

const suites = ['sse', 'websocket', 'incremental', 'multipart-subscriptions']

/** How many servers are held against the suites at once. */
const atOnce = 5

/** Runs the suites against a server of its own. */
async function hold(
  transformation: Transformation | undefined,
  cases: readonly string[],
): Promise<Report> {
  const server = await startStreamingServer(transformation)
  const options = { suites, standard: true, capabilities: ['heartbeats'], timeout: 5000 }
  try {
    return await runConformance({ ...options, url: server.url, cases, concurrency: 8 })
  } finally {
    await server.stop()
  }
}

function show({ id, verdict, message }: CaseReport): string {
  return `${id}: ${verdict}: ${message}`
}

function isNoticed({ verdict }: CaseReport): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'info'
}

function noticedIn(reports: readonly CaseReport[]): ReadonlySet<string> {
  return new Set(reports.filter(isNoticed).map(({ id }) => id))
}

void t.test('a server without a defect passes every case', async (t) => {
  const { cases } = await hold(undefined, [])
  t.strictSame(cases.filter(({ verdict }) => verdict !== 'pass').map(show), [])
})

void t.test('subscriptions in another protocol over multipart/mixed are not judged', async (t) => {
  const { cases } = await hold(otherProtocol, ['mps'])
  t.not(cases.length, 0)
  t.strictSame(cases.filter(({ verdict }) => verdict !== 'skip').map(show), [])
})

void t.test('each defect is noticed and named', async (t) => {
  const waiting = [...streamDefects]
  const found = new Map<Defect, readonly CaseReport[]>()
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      found.set(one, (await hold(one.transformation, one.noticedBy)).cases)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  for (const one of streamDefects) {
    let reports = found.get(one) ?? []
    let ids = noticedIn(reports)
    // Some cases measure for how long a server is silent. Beside others that can be too long, so alone decides.
    if (!one.noticedBy.every((id) => ids.has(id))) {
      reports = (await hold(one.transformation, one.noticedBy)).cases
      ids = noticedIn(reports)
    }
    for (const id of one.noticedBy) t.ok(ids.has(id), `${one.name} is noticed by ${id}`)
    const faults = reports.filter(({ verdict }) => verdict === 'error')
    t.strictSame(faults.map(show), [], `${one.name} is no fault of the runner`)
  }
})

void t.test('every case is broken by some defect', async (t) => {
  const broken = new Set(streamDefects.flatMap(({ noticedBy }) => noticedBy))
  const ids = readSuite()
    .cases.filter(({ suite }) => suites.includes(suite))
    .map(({ id }) => id)
  t.strictSame(
    ids.filter((id) => !broken.has(id)),
    [],
  )
  t.strictSame(
    [...broken].filter((id) => !ids.includes(id)),
    [],
    'and every case is there',
  )
})
