// What does each stage of a request cost, without HTTP? For development; see README.md.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createEngineFolders } from './engine-folders.mjs'
import { formatTable } from './format-table.mjs'
import { installPeers } from './install.mjs'

const help = `What does each stage of a request cost, without HTTP?

  node bench/micro.mjs [--rounds N] [--json]

Runs every stage of graphwire as it is built, and what graphql-js itself takes for the same, beside graphql 16 and 17.
The figures are microseconds, of N (40) short rounds the one at the lower quartile.
`

let values
try {
  ;({ values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '40' },
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
else await run()

async function run() {
  await installPeers()
  const workshop = await mkdtemp(join(tmpdir(), 'graphwire-micro-'))
  try {
    const reports = []
    for (const folder of (await createEngineFolders(workshop)).values()) {
      const stages = join(folder, 'micro/measure-stages.mjs')
      const { stdout } = await promisify(execFile)(process.execPath, [stages, values.rounds], {
        env: { PATH: process.env.PATH, NODE_ENV: 'production' },
        cwd: folder,
      })
      reports.push(JSON.parse(stdout))
    }
    console.log(
      values.json ? JSON.stringify(reports, undefined, 2) : reports.map(format).join('\n'),
    )
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

function format({ graphql, node, rows }) {
  const names = [...new Set(rows.map(({ workload }) => workload))]
  const stages = [...new Set(rows.map(({ stage }) => stage))]
  const cell = (stage, workload) =>
    rows.find((row) => row.stage === stage && row.workload === workload)?.microseconds.toFixed(2) ??
    ''
  const table = formatTable(
    [`us, graphql ${graphql}, Node ${node}`, ...names],
    stages.map((stage) => [stage, ...names.map((name) => cell(stage, name))]),
    new Set(names.map((_, at) => at + 1)),
  )
  return table
}
