import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { toNodeListener } from '../../../../src/hosts/node/index.js'
import { createHandler } from '../../../../src/index.js'
import { createStandardSchema } from '../../../../src/standard/standard-schema.js'
import { goodListener, runAgainst, serveOdd } from '../odd-target.js'

/** Our own handler, whose answers take a while. */
function slowListener(delay: number): ReturnType<typeof goodListener> {
  const listener = goodListener()
  return (incoming, outgoing) => void setTimeout(() => listener(incoming, outgoing), delay)
}

void t.test('a run that is cut off says so, and how many cases it has left out', async (t) => {
  const url = await serveOdd(t, slowListener(30))
  const options = { suites: ['accept', 'core'], maxDuration: 2500, concurrency: 1 }
  const report = await runAgainst(url, options)
  const late = report.cases.filter(({ message }) => /the time limit of the run/.test(message))
  t.ok(late.length > 0 && report.totals.pass > 0)
  const left = `${late.length} cases were not run: use --max-duration to give it more time.`
  t.equal(report.diagnosis, `The run ended after 2.5 s; ${left}`)
})

void t.test('a run whose probes are cut off says so', async (t) => {
  const url = await serveOdd(t, slowListener(100))
  const report = await runAgainst(url, { cases: ['get.query'], suites: [], maxDuration: 2000 })
  const expected = /^The probes ended after a third of the 2 s of the run, .* --max-duration /
  t.match(report.diagnosis, expected)
})

void t.test('an aborted run restores data after the last request of the case', async (t) => {
  const aborting = new AbortController()
  const { signal } = aborting
  const schema = createStandardSchema()
  const rename = schema.getMutationType()?.getFields()['renamePerson']
  const resolve = rename?.resolve
  if (rename === undefined || resolve === undefined) throw new Error('No renamePerson.')
  const names: unknown[] = []
  rename.resolve = async (source, args: { name: string }, ...more) => {
    if (!signal.aborted) {
      aborting.abort()
      // A runner that does not wait for the response restores the name meanwhile.
      await sleep(100)
    }
    names.push(args.name)
    return resolve(source, args, ...more)
  }
  const url = await serveOdd(t, toNodeListener(createHandler({ schema })))
  const cases = ['core.execute.mutation']
  const report = await runAgainst(url, { suites: [], cases, standard: true, signal })
  const message = 'the run was aborted before the case ended'
  t.match(report.cases, [{ id: 'core.execute.mutation', verdict: 'skip', message }])
  t.strictSame([names.length, names[0]], [2, 'Renamed'])
})

void t.test('after an aborted run nothing is sent', async (t) => {
  const aborting = new AbortController()
  const listener = goodListener()
  let requests = 0
  let tell = (): void => {}
  const closed = new Promise<void>((resolve) => (tell = resolve))
  const url = await serveOdd(t, (incoming, outgoing) => {
    requests++
    if (incoming.headers['content-type'] !== 'Application/JSON') return listener(incoming, outgoing)
    outgoing.once('close', tell)
    aborting.abort()
  })
  const { signal } = aborting
  await runAgainst(url, { suites: [], cases: ['core.content-type.upper-case'], signal })
  await closed
  const sent = requests
  await fetch(url)
  t.equal(requests, sent + 1)
})

// oxfmt-ignore
const hanging: readonly [what: string, type: 'Query' | 'Mutation', field: string, alias: RegExp, verdict: string, message: RegExp][] = [
  ['the change of a case',    'Mutation', 'renamePerson', /./,       'error', /person \d could not be restored/],
  ['reading what to restore', 'Query',    'person',       /^named$/, 'skip',  /the time limit of the run was reached/],
]

for (const [what, type, field, alias, verdict, message] of hanging) {
  void t.test(`a run ends soon after its time limit, even if ${what} hangs`, async (t) => {
    const schema = createStandardSchema()
    const fields = schema[`get${type}Type`]()?.getFields()
    const hung = fields?.[field]
    const resolve = hung?.resolve
    if (hung === undefined || resolve === undefined) throw new Error(`No ${field}.`)
    hung.resolve = (source, args, context, info) =>
      alias.test(String(info.path.key))
        ? new Promise(() => {})
        : resolve(source, args, context, info)
    const url = await serveOdd(t, toNodeListener(createHandler({ schema })))
    const cases = ['core.execute.mutation']
    const times = { timeout: 60_000, maxDuration: 6_000 }
    const report = await runAgainst(url, { suites: [], cases, standard: true, ...times })
    t.ok(report.durationMs < 30_000, `${report.durationMs} ms`)
    t.match(report.cases, [{ id: 'core.execute.mutation', verdict, message }])
    t.match(report.diagnosis, 'The run ended after 6 s; 1 case was not run')
  })
}
