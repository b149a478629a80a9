// What does each stage of a request cost, without HTTP? And executing? For development; see README.md.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { createEngineFolders, inWorkshop } from './install.mjs'
import { formatTable } from './report.mjs'

const help = `What does each stage of a request cost, without HTTP?

  node bench/micro.mjs [--rounds N] [--json]
  node bench/micro.mjs --executors [--rounds N] [--workloads W1,W2,...] [--json]

Runs every stage of graphwire as it is built, and what graphql-js itself takes for the same, beside graphql 16 and 17.
The figures are microseconds, of N (40) short rounds the one at the lower quartile.

With --executors, microseconds of CPU for the bytes of an answer: the compiled executor and graphql-js on graphql 16 and 17,
and graphql-jit. Each way and workload has a process of its own, in which other documents run first; of three processes the
best is told.
`

/** The ways to execute that are compared, the first with all others. */
const executors = [
  [16, 'graphql-jit'],
  [16, 'compiled'],
  [17, 'compiled'],
  [16, 'graphql-js'],
  [17, 'graphql-js'],
  [16, 'JSON.stringify'],
]
const processes = 3

let values
try {
  ;({ values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '40' },
      executors: { type: 'boolean', default: false },
      workloads: { type: 'string', default: 'W1,W2,W2-async,W3,W7,W8,W9,W10' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }))
  if (!/^[1-9]\d{0,4}$/.test(values.rounds))
    throw new TypeError('--rounds: expected a whole number.')
} catch (error) {
  console.error(`${error.message}\nTry --help.`)
  process.exit(2)
}
if (values.help) process.stdout.write(help)
else {
  await inWorkshop(async (workshop) => {
    const folders = await createEngineFolders(workshop)
    await (values.executors ? compareExecutors(folders) : measureStages(folders))
  })
}

async function measureStages(folders) {
  const reports = []
  for (const folder of folders.values()) {
    reports.push(await runIn(folder, 'measure-stages.mjs', [values.rounds]))
  }
  console.log(
    values.json ? JSON.stringify(reports, undefined, 2) : reports.map(formatStages).join('\n'),
  )
}

async function compareExecutors(folders) {
  const rows = []
  for (const workload of values.workloads.split(',')) {
    const row = { workload }
    for (const [major, way] of executors) {
      row[`${way} ${major}`] = await costOf(folders.get(major), way, workload)
    }
    rows.push(row)
    if (!values.json) console.error(JSON.stringify(row))
  }
  console.log(values.json ? JSON.stringify(rows) : formatExecutors(rows))
}

/** The best of several processes, since one may be slow for its whole life. */
async function costOf(folder, way, workload) {
  const jit = fileURLToPath(new URL('node_modules/graphql-jit/dist/index.js', import.meta.url))
  const costs = []
  for (let time = 0; time < processes; time++) {
    const args = [way, workload, values.rounds]
    const { microseconds } = await runIn(folder, 'measure-executor.mjs', args, { GRAPHQL_JIT: jit })
    costs.push(microseconds)
  }
  return Math.min(...costs)
}

/** Runs a file of `micro` with the graphql of a folder; gives the JSON that it prints. */
async function runIn(folder, file, args, env = {}) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(folder, 'micro', file), ...args],
    { env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env }, cwd: folder },
  )
  return JSON.parse(stdout)
}

function formatStages({ graphql, node, rows }) {
  const names = [...new Set(rows.map(({ workload }) => workload))]
  const stages = [...new Set(rows.map(({ stage }) => stage))]
  const cell = (stage, workload) =>
    rows.find((row) => row.stage === stage && row.workload === workload)?.microseconds.toFixed(2) ??
    ''
  return formatTable(
    [`us, graphql ${graphql}, Node ${node}`, ...names],
    stages.map((stage) => [stage, ...names.map((name) => cell(stage, name))]),
    new Set(names.map((_, at) => at + 1)),
  )
}

function formatExecutors(rows) {
  const columns = executors.map(([major, way]) => `${way} ${major}`)
  return formatTable(
    ['', ...columns],
    rows.map((row) => [
      row.workload,
      ...columns.map((name) => {
        const ratio = row[name] / row['graphql-jit 16']
        return `${row[name].toFixed(2)} (${ratio.toFixed(2)})`
      }),
    ]),
    new Set(columns.map((_, at) => at + 1)),
  )
}
