import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { AnyFlagTable, AnyFlagValues, FlagValues } from '../../../src/cli/arguments/flag.js'
import { readValues } from '../../../src/cli/arguments/read-flags.js'
import { conformFlags, type ConformFlags } from '../../../src/cli/conform/conform-flags.js'
import { toConformPlan } from '../../../src/cli/conform/conform-plan.js'
import { runTarget } from '../../../src/cli/conform/run-conform.js'
import { doctorFlags, type DoctorFlags } from '../../../src/cli/doctor/doctor-flags.js'
import { runDoctor } from '../../../src/cli/doctor/run-doctor.js'
import { explainFlags, type ExplainFlags } from '../../../src/cli/explain/explain-flags.js'
import { runExplain } from '../../../src/cli/explain/run-explain.js'
import { assemble } from '../../../src/cli/serve/start/assemble.js'
import { batchRows } from '../../../src/options/batch-options.js'
import type { NumberRow } from '../../../src/shapes/number-row.js'
import { toPlan } from '../../../src/cli/serve/flags/plan.js'
import { serveFlags, type ServeFlags } from '../../../src/cli/serve/flags/serve-flags.js'
import { serveGood } from './conform/conform-target.js'

type Plans = (flags: AnyFlagValues) => unknown

const schema = fileURLToPath(
  new URL('../../../../fixtures/standard/schema.graphql', import.meta.url),
)
const quiet = { env: { GRAPHWIRE_PORT: '0' }, out: () => {}, err: () => {} }
const explain: Plans = (flags) =>
  runExplain(flags as unknown as FlagValues<ExplainFlags>, [schema], quiet)
const doctor: Plans = (flags) =>
  runDoctor(flags as unknown as FlagValues<DoctorFlags>, [schema], quiet)

// Those read elsewhere are of other ways to run the command, which have tests of their own.
// oxfmt-ignore
const commands: readonly [command: string, flags: object, plan: Plans, readElsewhere: readonly string[]][] = [
  ['explain', explainFlags, explain, ['timeout', 'insecure']],
  ['doctor',  doctorFlags,  doctor,  ['partial', 'header', 'timeout', 'insecure']],
]

for (const [command, table, plan, readElsewhere] of commands) {
  void t.test(`each flag of ${command} has an effect: its plan reads it`, async (t) => {
    const flags = table as AnyFlagTable
    const { watched, unread } = watch(defaultsOf(flags))
    t.match(await plan(watched), { ok: true })
    t.same(
      unread().filter((name) => !readElsewhere.includes(name)),
      [],
    )
  })
}

void t.test(
  'each flag of serve has an effect: what loads and assembles its plan reads it',
  async (t) => {
    const plan = toPlan(defaultsOf(serveFlags) as unknown as FlagValues<ServeFlags>, [schema])
    if (!plan.ok) throw new Error(plan.reason.message)
    const { watched, unread } = watch(plan.value)
    t.match(await assemble(watched, quiet), { ok: true })
    // These are decided in the plan, or are read by what starts processes.
    const decided =
      'standard capabilities resolvers tls-cert tls-key drain-delay grace spread deadline'
    const ofProcesses = 'stop workers watch watch-documents'
    const elsewhere = new Set([
      ...decided.split(' '),
      ...ofProcesses.split(' '),
      ...Object.values<NumberRow>(batchRows).map(({ flag }) => flag),
    ])
    t.same(
      unread().filter((name) => !elsewhere.has(name)),
      [],
    )
  },
)

void t.test('each flag of conform is read by its plan or its run', async (t) => {
  const quick = {
    ...defaultsOf(conformFlags),
    case: { value: ['get.mutation.refused'], from: '--case' },
  }
  const { watched, unread } = watch(quick)
  const plan = await toConformPlan(watched as unknown as FlagValues<ConformFlags>, [
    await serveGood(t),
  ])
  if (!plan.ok) throw new Error(plan.reason.message)
  t.match(await runTarget(plan.value, { env: {}, out: () => {}, err: () => {} }), { value: 0 })
  t.same(unread(), [])
})

function defaultsOf(flags: AnyFlagTable): AnyFlagValues {
  const values = readValues({ positionals: [], texts: new Map() }, flags, {})
  if (!values.ok) throw new Error(values.reason.message)
  return values.value
}

/** The object, and its members that nobody has read. */
function watch<Members extends object>(members: Members) {
  const read = new Set<PropertyKey>()
  const watched = new Proxy(members, {
    get(target, name) {
      read.add(name)
      return Reflect.get(target, name) as unknown
    },
  })
  return { watched, unread: () => Object.keys(members).filter((name) => !read.has(name)) }
}
