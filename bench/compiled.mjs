// What does executing and writing JSON cost, without HTTP? For development; see README.md.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { createEngineFolders } from './engine-folders.mjs'
import { formatTable } from './format-table.mjs'
import { installPeers } from './install.mjs'

const help = `What does executing and writing JSON cost, without HTTP?

  node bench/compiled.mjs [--rounds N] [--workloads W1,W2,...] [--json]

Microseconds of CPU for the bytes of an answer: the compiled executor and graphql-js on graphql 16 and 17, and graphql-jit. Each way and
workload has a process of its own, in which other documents run first; of N (40) short rounds the one at the lower quartile is told,
of three processes the best.
`

const names = ['W1', 'W2', 'W2-async', 'W3', 'W7', 'W8', 'W9', 'W10']
const processes = 3

const contenders = [
  [16, 'graphql-jit'],
  [16, 'compiled'],
  [17, 'compiled'],
  [16, 'graphql-js'],
  [17, 'graphql-js'],
  [16, 'JSON.stringify'],
]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    workloads: { type: 'string', default: names.join() },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(help)
else await run()

async function run() {
  await installPeers()
  const workshop = await mkdtemp(join(tmpdir(), 'graphwire-compiled-'))
  try {
    const folders = await createEngineFolders(workshop)
    const rows = []
    for (const workload of values.workloads.split(',')) {
      const row = { workload }
      for (const [major, way] of contenders) {
        row[`${way} ${major}`] = await measure(folders.get(major), way, workload)
      }
      rows.push(row)
      if (!values.json) console.error(JSON.stringify(row))
    }
    console.log(values.json ? JSON.stringify(rows) : show(rows))
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

/** The best of several processes: one of them may be slow for all its life. */
async function measure(folder, way, workload) {
  const jit = fileURLToPath(new URL('node_modules/graphql-jit/dist/index.js', import.meta.url))
  const costs = []
  for (let time = 0; time < processes; time++) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(folder, 'micro/measure-executor.mjs'), way, workload, values.rounds],
      { env: { PATH: process.env.PATH, NODE_ENV: 'production', GRAPHQL_JIT: jit }, cwd: folder },
    )
    costs.push(JSON.parse(stdout).microseconds)
  }
  return Math.min(...costs)
}

function show(rows) {
  const columns = contenders.map(([major, way]) => `${way} ${major}`)
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
