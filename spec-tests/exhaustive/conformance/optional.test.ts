import { buildSchema } from 'graphql'
import t from 'tap'
import { sha256 } from '../../../src/base/sha256.js'
import type { CaseReport } from '../../../src/conformance/suite/report.js'
import { groupFindings } from '../../../src/conformance/reporters/digest/digest.js'
import type { EditionName } from '../../../src/conformance/suite/editions.js'
import { uploads } from '@graphwire/uploads'
import { readFixtures } from '../../conformance/read-fixtures.js'
import { holdAll, noticedIn, show, unbrokenIn } from './defects/defect.js'
import type { Defect, Transformation } from './defects/defect.js'
import { runOn, startServer } from './defects/start-server.js'
import { closing, optionalDefects, startOptionalServer, weakTags } from './defects/optional.js'

// Many servers.
t.setTimeout(400_000)

const suites = [
  ...'query-method caching cors-csrf batching persisted'.split(' '),
  ...'apq request-type service multipart-upload'.split(' '),
]
const capabilities = [
  'query get etag cors corsList corsCredentials batch batchJsonl variablesJsonl documentId',
  'documentIdGet documentIdCustom documentIdPath service introspection apq apqGet uploads standard',
  'mutationType',
].flatMap((names) => names.split(' '))

async function hold(
  transformation: Transformation | undefined,
  edition: EditionName,
  cases: readonly string[] = [],
) {
  const server = await startOptionalServer(transformation)
  return runOn(server, { edition, standard: true, suites, cases })
}

for (const edition of ['2026-04', '2026-09', 'next'] as const) {
  for (const [kind, variant] of Object.entries({ plain: {}, weakTags, closing })) {
    const title = `a target without defects has nothing to find in ${edition}`
    void t.test(`${title}: ${kind}`, async (t) => {
      const report = await hold(variant, edition)
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

void t.test('declared capabilities that are missing or unknown are one finding', async (t) => {
  const declared = { capabilities: ['apq', 'apqGet', 'no-such-one'], standard: true }
  const server = await startServer({ options: { schema: buildSchema('type Query { a: Int }') } })
  const report = await runOn(server, { suites: ['apq'], ...declared })
  const found = report.cases.filter(({ verdict }) => verdict !== 'skip' && verdict !== 'pass')
  const groups = groupFindings(found)
  const ids = groups.map((group) => group.map(({ id }) => id))
  const names = ['standard', 'apq', 'apqGet', 'no-such-one']
  t.same(ids, [names.map((name) => `declared.${name}`)])
})

/** The cases that see a defect: the proposals are asked only about what nothing else has seen. */
async function notice({ transformation, noticedBy }: Defect): Promise<readonly CaseReport[]> {
  const { cases } = await hold(transformation, '2026-09', noticedBy)
  const open = noticedBy.filter((id) => !noticedIn(cases).has(id))
  const seen = cases.filter(({ id }) => noticedBy.includes(id) && !open.includes(id))
  if (open.length === 0) return seen
  const proposed = await hold(transformation, 'next', open)
  return [...seen, ...proposed.cases.filter(({ id }) => open.includes(id))]
}

void t.test('each defect is noticed by the cases that must notice it', async (t) => {
  for (const [{ name, noticedBy }, cases] of await holdAll(optionalDefects, 4, notice)) {
    t.same([...noticedIn(cases)].toSorted(), noticedBy.toSorted(), name)
  }
})

void t.test('every case of the optional suites is broken by some defect', async (t) => {
  t.same(unbrokenIn(suites, optionalDefects), [])
})

void t.test('the identifiers of the stored documents are the hashes of their bytes', async (t) => {
  const read = readFixtures('optional/persisted-documents.json')
  const { documents, standard } = read as Record<string, Record<string, string>>
  for (const [id, document] of Object.entries({ ...documents, ...standard })) {
    t.equal(id, `sha256:${sha256(document)}`)
  }
})

/** These are for targets without batches. */
const refusals = new Set(['batch.refused', 'batch.variables.refused'])

// What the fast tests do not run: an edition of the engine under another one of the suite.
for (const [own, edition] of [
  ['2026-09', '2026-04'],
  ['2026-09', 'next'],
  ['2025-05', '2024-01'],
] as const) {
  for (const options of [{}, { batch: {}, uploads: uploads() }]) {
    const title = `with ${Object.keys(options).join(' and ') || 'the defaults'} the engine in ${own}`
    void t.test(`${title} neither fails nor warns in ${edition}`, async (t) => {
      const server = await startServer({}, { edition: own, ...options })
      const { cases } = await runOn(server, { edition, standard: true, suites })
      const isOffered = ({ suite, id }: CaseReport) =>
        'batch' in options && /^(?:batching|multipart-upload)$/.test(suite) && !refusals.has(id)
      const odd = cases.filter((one) =>
        isOffered(one) ? one.verdict !== 'pass' : /fail|warn|error/.test(one.verdict),
      )
      t.same(odd.map(show), [])
    })
  }
}
