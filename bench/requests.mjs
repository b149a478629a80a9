// How much CPU does a request take, compared with other servers? See README.md and `--help`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir, type } from 'node:os'
import { join } from 'node:path'
import { locate } from './contenders.mjs'
import { createEngineFolders } from './engine-folders.mjs'
import { formatPage, formatReport } from './format-page.mjs'
import { formatGoals } from './format-table.mjs'
import { judgeGoals } from './goals.mjs'
import { installPeers } from './install.mjs'
import { startLoadCrew } from './load-crew.mjs'
import { drawPictures } from './pictures.mjs'
import { plot, plotMemory } from './plot.mjs'
import { help, readArguments } from './request-options.mjs'
import { runWorkload } from './run-workload.mjs'
import { core } from './server-process.mjs'
import { summarize } from './summarize.mjs'

const page = new URL('../docs/reports/performance.md', import.meta.url)

const { plan, problem } = readArguments(process.argv.slice(2), availableParallelism())
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
  await installPeers()
  const workshop = await mkdtemp(join(tmpdir(), 'graphwire-bench-'))
  const crew = startLoadCrew(plan.loadProcesses, plan.connections)
  try {
    const folders = {
      here: await createEngineFolders(workshop),
      before: plan.against && (await createEngineFolders(workshop, plan.against)),
    }
    const report = await measureAll(crew, folders, stopped.signal)
    await publish(report)
    return exitCodeOf(report)
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    tell('stopped')
    return 130
  } finally {
    await crew.end()
    await rm(workshop, { recursive: true, force: true })
  }
}

async function measureAll(crew, engineFolders, signal) {
  const servers = await Promise.all(
    plan.servers.map(async (contender) => ({
      contender,
      ...(await locate(contender, engineFolders)),
    })),
  )
  const report = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: { system: type(), processor: cpus()[0]?.model.trim() ?? '', cores: cpus().length },
    // What was going on before: figures of a machine that is not idle are only good as ratios.
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

function exitCodeOf({ workloads, goals }) {
  const failed = workloads.some(({ servers }) => servers.some(({ fault }) => fault !== undefined))
  if (failed) return 1
  if (!plan.assert) return 0
  if (goals.length === 0) tell('--assert: no goal speaks of these servers and workloads.')
  return goals.length > 0 && goals.every(({ reached }) => reached) ? 0 : 1
}

function tell(text) {
  process.stderr.write(`${text}\n`)
}
