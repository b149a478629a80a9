// How many more requests does `graphwire serve` answer with two workers than with one? See README.md.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createEngineFolders, inWorkshop } from './install.mjs'
import { median } from './median.mjs'
import { withCrew } from './processes.mjs'
import { formatTable } from './report.mjs'

const help = `How many more requests does \`graphwire serve\` answer with two workers than with one?

  node bench/workers.mjs [--rounds N] [--seconds N] [--graphql 16|17]

Serves the data of the benchmark with one process, with one worker and with two, and sends W1, W2 and W3 over 64
keep-alive connections. With \`taskset\` and four cores, the servers get two cores and the load the others. The ratio is
the median of the ratios to one process in the same round; 10 rounds of 1 second by default.
`
const setups = [
  ['one process', []],
  ['1 worker', ['--workers=1']],
  ['2 workers', ['--workers=2']],
]
const workloads = ['W1', 'W2', 'W3']
const moduleText = `import { createSchema } from './people.mjs'
export const schema = createSchema()
`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '1' },
    graphql: { type: 'string', default: '16' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(help)
else await inWorkshop(run)

async function run(workshop) {
  const pin = pinning()
  const folder = (await createEngineFolders(workshop)).get(Number(values.graphql))
  await writeFile(join(folder, 'servers', 'module.mjs'), moduleText)
  const servers = []
  try {
    for (const [name, flags] of setups) servers.push(await start(folder, name, flags, pin.servers))
    const rows = []
    await withCrew({ loadProcesses: 2, connections: 64 }, async (crew) => {
      for (const workload of workloads) {
        process.stderr.write(`${workload}\n`)
        rows.push(...summarize(workload, await measure(crew, servers, workload)))
      }
    })
    const head = ['', '', 'requests/s', 'to one process']
    process.stdout.write(`${pin.text}\n\n${formatTable(head, rows, new Set([2, 3]))}`)
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
  }
}

async function start(folder, name, flags, pin) {
  const main = join(folder, 'node_modules/graphwire/dist/src/cli/main.js')
  const module = join(folder, 'servers/module.mjs')
  const command = [
    process.execPath,
    main,
    'serve',
    module,
    '--port=0',
    '--host=127.0.0.1',
    ...flags,
  ]
  const [program, ...args] = [...pin, ...command]
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' }
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code}`)
  })
  ended.catch(() => undefined) // reported where it is awaited
  const port = new Promise((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /^listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)
      if (found !== null) resolve(Number(found[1]))
    })
  })
  return { name, child, port: await Promise.race([port, ended]) }
}

/** Rounds of requests per second, by server; each round begins with another one. */
async function measure(crew, servers, workload) {
  const rounds = []
  for (let round = -1; round < Number(values.rounds); round++) {
    const figures = new Map()
    for (let at = 0; at < servers.length; at++) {
      const { name, port } = servers[(at + round + 1) % servers.length]
      await crew.open({ port, workload, status: 200 })
      const { requests, seconds } = await crew.run(Number(values.seconds))
      await crew.close()
      figures.set(name, requests / seconds)
    }
    if (round >= 0) rounds.push(figures) // the first one warms up
  }
  return rounds
}

function summarize(workload, rounds) {
  const [[first]] = setups
  return setups.map(([name]) => [
    workload,
    name,
    median(rounds.map((figures) => figures.get(name))).toFixed(0),
    median(rounds.map((figures) => figures.get(name) / figures.get(first))).toFixed(2),
  ])
}

/** Two cores for the servers, where the load can have others. */
function pinning() {
  const cores = availableParallelism()
  const canPin = cores >= 4 && spawnSync('taskset', ['-c', '0', 'true']).status === 0
  if (!canPin) return { servers: [], text: `${cores} cores, shared with the load.` }
  const mine = `${cores - 2},${cores - 1}`
  spawnSync('taskset', ['-a', '-p', '-c', `0-${cores - 3}`, String(process.pid)])
  return {
    servers: ['taskset', '-c', mine],
    text: 'Two cores for the servers, others for the load.',
  }
}
