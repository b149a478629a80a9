import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { CaseReport, Report } from '../../../src/conformance/suite/report.js'
import { groupFindings } from '../../../src/conformance/reporters/digest/group-findings.js'
import { runConformance } from '../../../src/conformance/run/run.js'
import { readSuite } from '../../../src/conformance/suite/suite.js'
import { serve } from '../../../src/hosts/node/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { uploads } from '../../../src/uploads/uploads.js'
import type { Defect, Transformation } from './defects/defect.js'
import { optionalDefects, startOptionalServer, weakTags } from './defects/optional.js'

// Many servers.
t.setTimeout(300_000)

type Edition = '2024-01' | '2025-05' | '2026-04' | '2026-09' | 'next'

const suites = [
  'query-method',
  'caching',
  'cors-csrf',
  'batching',
  'persisted',
  'apq',
  'request-type',
  'service',
  'multipart-upload',
]
const folder = new URL('../../../../fixtures/optional/', import.meta.url)
const everything = ['query', 'get', 'etag', 'cors', 'corsList', 'corsCredentials', 'batch']
const more = ['batchJsonl', 'variablesJsonl', 'documentId', 'documentIdGet', 'documentIdCustom']
const proposed = ['documentIdPath', 'service', 'introspection']
const capabilities = [
  ...everything,
  ...more,
  ...proposed,
  'apq',
  'apqGet',
  'uploads',
  'standard',
  'mutationType',
]

async function runOn(
  transformation: Transformation | undefined,
  edition: Edition,
  cases: readonly string[] = [],
): Promise<Report> {
  const server = await startOptionalServer(transformation)
  try {
    return await runConformance({ url: server.url, edition, standard: true, suites, cases })
  } finally {
    await server.stop()
  }
}

function show({ id, verdict, message }: CaseReport): string {
  return `${id}: ${verdict}: ${message}`
}

for (const edition of ['2026-04', '2026-09', 'next'] as const) {
  for (const variant of [undefined, weakTags]) {
    const title = `a target without defects has nothing to find in ${edition}`
    void t.test(`${title}${variant ? ': weak tags' : ''}`, async (t) => {
      const report = await runOn(variant, edition)
      const missing = capabilities.filter((name) => !report.capabilities.includes(name))
      t.same(missing, [], 'the probes find everything')
      const odd = report.cases.filter(
        ({ verdict, message }) =>
          verdict !== 'pass' && !(verdict === 'skip' && /^the target has (?!no )/.test(message)),
      )
      t.same(odd.map(show), [], 'only what is for targets that lack something is skipped')
    })
  }
}

void t.test('a declared capability that is missing is one finding', async (t) => {
  const server = await serve({ schema: createStandardSchema(), port: 0 })
  t.teardown(() => server.close())
  const report = await runConformance({
    url: server.url,
    suites: ['apq'],
    capabilities: ['apq', 'apqGet'],
  })
  const found = report.cases.filter(({ verdict }) => verdict !== 'skip' && verdict !== 'pass')
  const groups = groupFindings(found).map(({ first, others }) => [first, ...others])
  t.same(
    groups.map((group) => group.map(({ id }) => id)),
    [['declared.apq', 'declared.apqGet']],
  )
})

/** The ids of those cases that see a defect: the proposals are asked only about what nothing else has seen. */
async function notice({ transformation, noticedBy: ids }: Defect): Promise<readonly string[]> {
  const seen: string[] = []
  for (const edition of ['2026-09', 'next'] as const) {
    const open = ids.filter((id) => !seen.includes(id))
    if (open.length === 0) break
    const { cases } = await runOn(transformation, edition, open)
    for (const { id, verdict } of cases) {
      if (open.includes(id) && ['fail', 'warn', 'info'].includes(verdict)) seen.push(id)
    }
  }
  return seen.toSorted()
}

void t.test(
  'each defect is noticed by the cases that must notice it',
  { timeout: 200_000 },
  async (t) => {
    const waiting = [...optionalDefects]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        t.same(await notice(next), next.noticedBy.toSorted(), next.name)
      }
    }
    await Promise.all([work(), work(), work(), work()])
  },
)

void t.test('every case of the optional suites is broken by some defect', async (t) => {
  const broken = new Set(optionalDefects.flatMap(({ noticedBy }) => noticedBy))
  const ids = readSuite()
    .cases.filter(({ suite }) => suites.includes(suite))
    .map(({ id }) => id)
  const unbroken = ids.filter((id) => !broken.has(id))
  t.same(unbroken, [])
})

void t.test('the identifiers of the stored documents are the hashes of their bytes', async (t) => {
  const text = readFileSync(new URL('persisted-documents.json', folder), 'utf8')
  const { documents, standard } = JSON.parse(text) as Record<string, Record<string, string>>
  for (const [id, document] of Object.entries({ ...documents, ...standard })) {
    t.equal(id, `sha256:${createHash('sha256').update(document, 'utf8').digest('hex')}`)
  }
})

const pairs = [
  ['2026-09', '2026-04'],
  ['2026-09', '2026-09'],
  ['2026-09', 'next'],
  ['2025-05', '2024-01'],
  ['2025-05', '2025-05'],
] as const

for (const [own, edition] of pairs) {
  void t.test(`the engine in ${own} neither fails nor warns in ${edition}`, async (t) => {
    const server = await serve({ schema: createStandardSchema(), port: 0, edition: own })
    t.teardown(() => server.close())
    const { cases } = await runConformance({ url: server.url, edition, standard: true, suites })
    const odd = cases.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    t.same(odd.map(show), [])
  })
}

for (const [own, edition] of pairs) {
  void t.test(`with batches the engine in ${own} passes their suite in ${edition}`, async (t) => {
    const schema = createStandardSchema()
    const server = await serve({ schema, port: 0, edition: own, batch: {} })
    t.teardown(() => server.close())
    const options = { edition, standard: true, suites: ['batching'] }
    const { cases } = await runConformance({ url: server.url, ...options })
    // These two are for targets without batches.
    const refusals = new Set(['batch.refused', 'batch.variables.refused'])
    const odd = cases.filter(({ verdict, id }) => verdict !== 'pass' && !refusals.has(id))
    t.same(odd.map(show), [])
    t.ok(cases.length > 25, `${cases.length} cases`)
  })
}

for (const [own, edition] of pairs) {
  void t.test(`with uploads the engine in ${own} passes their suite in ${edition}`, async (t) => {
    const schema = createStandardSchema()
    const options = { port: 0, edition: own, batch: {}, uploads: uploads() }
    const server = await serve({ schema, ...options })
    t.teardown(() => server.close())
    const { cases } = await runConformance({
      url: server.url,
      edition,
      standard: true,
      suites: ['multipart-upload'],
    })
    t.same(cases.filter(({ verdict }) => verdict !== 'pass').map(show), [])
    t.ok(cases.length > 25, `${cases.length} cases`)
  })
}
