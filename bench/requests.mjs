// How much CPU does a request take, compared with other servers? See README.md and `--help`.
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, type } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { contenders, contendersBefore, locate } from './contenders.mjs'
import { judgeGoals } from './goals.mjs'
import { createEngineFolders, inWorkshop } from './install.mjs'
import { runWorkload } from './measure.mjs'
import { prepareForeign } from './peers/people/start.mjs'
import { drawPictures } from './pictures.mjs'
import { plot, plotMemory } from './plot.mjs'
import { core, defaultLoadProcesses, withCrew } from './processes.mjs'
import { formatGoals, formatPage, formatReport, summarize } from './report.mjs'
import { workloads } from './workloads.mjs'

const page = new URL('../docs/reports/performance.md', import.meta.url)

/** The text of `--help`. */
const help = `How much CPU does a request take, compared with other servers?

  node bench/requests.mjs [options]

  --servers NAME,...    only these: ${wrapped(contenders)}
  --workloads NAME,...  only these: ${wrapped(workloads)}
  --against FOLDER      also graphwire as built in another checkout of this repository: before-16, before-17
  --rounds N            how often each server is measured; default 30
  --processes N         in how many processes of each server, one after the other; default 2
  --seconds N           for how long each time; default 0.2
  --warm-up N           seconds of load before the first round; default 3
  --connections N       concurrent connections; default 48
  --load-processes N    processes that send requests; default 2, or 1 with fewer than 3 cores
  --quick               W1, W2, W3 and W5 in 6 rounds of 0.1 seconds, one process: 3 minutes instead of 25, and less exact
  --json                the report as JSON instead of tables
  --plot FILE           writes a picture (SVG) of the CPU
  --plot-memory FILE    writes a picture (SVG) of the memory
  --write               writes docs/reports/performance.md and its pictures; all servers and workloads
  --assert              fails if a goal is missed
  --help                this text

Tables or JSON go to stdout, progress to stderr. Exit code: 0 done; 1 a response was wrong, a server failed or,
with --assert, a goal was missed; 2 invalid options.

${workloads.map(({ name, title }) => `  ${name.padEnd(8)}  ${title}`).join('\n')}
`

/** The workloads for a short run. */
const quick = workloads.filter(({ name }) => ['W1', 'W2', 'W3', 'W5'].includes(name))

const text = { type: 'string' }
const flag = { type: 'boolean', default: false }
const options = {
  against: text,
  servers: text,
  workloads: text,
  rounds: text,
  processes: text,
  seconds: text,
  'warm-up': text,
  connections: text,
  'load-processes': text,
  plot: text,
  'plot-memory': text,
  quick: flag,
  json: flag,
  write: flag,
  assert: flag,
  help: flag,
}

const { plan, problem } = readArguments(process.argv.slice(2))
if (problem !== undefined) {
  tell(`${problem}\nTry --help.`)
  process.exitCode = 2
} else if (plan.help) {
  process.stdout.write(help)
} else {
  process.exitCode = await run()
}

/** The whole benchmark; gives the exit code. */
async function run() {
  const stopped = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopped.abort())
  const measure = async (workshop, crew) => {
    const here = await createEngineFolders(workshop)
    const before = plan.against && (await createEngineFolders(workshop, plan.against))
    const hasForeign = plan.servers.some(({ foreign }) => foreign !== undefined)
    const prepared = hasForeign ? await prepareForeign(workshop) : undefined
    return measureAll(crew, { here, before, prepared }, stopped.signal)
  }
  try {
    const report = await inWorkshop((workshop) => withCrew(plan, (crew) => measure(workshop, crew)))
    await publish(report)
    return exitCodeOf(report)
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    tell('stopped')
    return 130
  }
}

async function measureAll(crew, folders, signal) {
  const servers = await Promise.all(
    plan.servers.map(async (contender) => ({
      contender: { ...contender, prepared: folders.prepared },
      ...(await locate(contender, folders)),
    })),
  )
  const report = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: { system: type(), processor: cpus()[0]?.model.trim() ?? '', cores: cpus().length },
    // The load before: figures of a machine that is not idle are only good as ratios.
    load: loadavg()[0],
    pinned: core !== undefined,
    rounds: plan.rounds,
    processes: plan.processes,
    seconds: plan.seconds,
    connections: plan.connections,
    servers: servers.map(({ contender, versions }) => ({ name: contender.name, versions })),
    workloads: [],
  }
  for (const workload of plan.workloads) {
    const runs = await runWorkload(workload, servers, { ...plan, crew, signal }, tell)
    report.workloads.push(summarize(workload, runs))
  }
  return { ...report, goals: judgeGoals(report.workloads) }
}

async function publish(report) {
  if (plan.plot !== undefined) await writeFile(plan.plot, plot(report))
  if (plan.plotMemory !== undefined) await writeFile(plan.plotMemory, plotMemory(report))
  if (plan.write) {
    await writeFile(page, formatPage(report))
    await drawPictures('performance.md')
  }
  process.stdout.write(
    plan.json ? `${JSON.stringify(report, undefined, 2)}\n` : formatReport(report),
  )
  if (plan.assert) tell(formatGoals(report.goals))
}

function exitCodeOf({ workloads: measured, goals }) {
  const failed = measured.some(({ servers }) => servers.some(({ fault }) => fault !== undefined))
  if (failed) return 1
  if (!plan.assert) return 0
  if (goals.length === 0) tell('--assert: no goal speaks of these servers and workloads.')
  return goals.length > 0 && goals.every(({ reached }) => reached) ? 0 : 1
}

function tell(message) {
  process.stderr.write(`${message}\n`)
}

/** The arguments as a plan, or as the problem with them. */
function readArguments(args) {
  let values
  try {
    ;({ values } = parseArgs({ args, options }))
  } catch (error) {
    return { problem: error.message }
  }
  const fallback = values.quick
    ? { rounds: 6, processes: 1, seconds: 0.1, warmUp: 1, workloads: quick }
    : { rounds: 30, processes: 2, seconds: 0.2, warmUp: 3, workloads }
  const problems = []
  const against = values.against === undefined ? undefined : resolve(values.against)
  const servers = against === undefined ? contenders : [...contenders, ...contendersBefore]
  const read = {
    against,
    servers: chosen('servers', servers, servers),
    workloads: chosen('workloads', workloads, fallback.workloads),
    rounds: number('rounds', fallback.rounds, { least: 1, whole: true }),
    processes: number('processes', fallback.processes, { least: 1, whole: true }),
    seconds: number('seconds', fallback.seconds, { least: 0.05 }),
    warmUp: number('warm-up', fallback.warmUp, { least: 0 }),
    connections: number('connections', 48, { least: 1, whole: true }),
    loadProcesses: number('load-processes', defaultLoadProcesses, { least: 1, whole: true }),
    json: values.json,
    plot: values.plot,
    plotMemory: values['plot-memory'],
    write: values.write,
    assert: values.assert,
    help: values.help,
  }
  if (read.processes > read.rounds) problems.push('--processes: more than rounds.')
  if (read.loadProcesses > read.connections)
    problems.push('--load-processes: more than connections.')
  if (values.write && (read.servers !== contenders || read.workloads !== workloads)) {
    problems.push('--write: the page shows all servers and workloads.')
  }
  return problems.length === 0 ? { plan: read } : { problem: problems.join('\n') }

  function chosen(name, list, otherwise) {
    if (values[name] === undefined) return otherwise
    const names = values[name].split(',')
    const unknown = names.filter((one) => !list.some((known) => known.name === one))
    if (unknown.length > 0) {
      const known = list.map((one) => one.name).join(', ')
      problems.push(`--${name}: ${unknown.join(', ')}: expected some of ${known}.`)
    }
    return list.filter((one) => names.includes(one.name))
  }

  function number(name, otherwise, { least, whole = false }) {
    const value = values[name] === undefined ? otherwise : Number(values[name])
    if (value >= least && value < 1e6 && (!whole || Number.isInteger(value))) return value
    problems.push(`--${name}: expected a ${whole ? 'whole ' : ''}number from ${least} on.`)
    return otherwise
  }
}

function wrapped(list) {
  const lines = ['']
  for (const { name } of list) {
    if (lines.at(-1).length + name.length > 68) lines.push('')
    lines[lines.length - 1] += `${name}, `
  }
  return lines.join(`\n${' '.repeat(24)}`).replace(/, $/, '')
}
