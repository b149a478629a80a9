// How much do processes of the same server differ? See README.md.
import { parseArgs } from 'node:util'
import { contenders, locate } from './contenders.mjs'
import { createEngineFolders, inWorkshop } from './install.mjs'
import { startTrial } from './measure.mjs'
import { median } from './median.mjs'
import { defaultLoadProcesses, withCrew } from './processes.mjs'
import { formatTable } from './report.mjs'
import { workloads } from './workloads.mjs'

const help = `How much do processes of the same server differ?

  node bench/lottery.mjs [--servers NAME,...] [--workload W2] [--processes 20] [--seconds 0.5] [--warm-up 2]

Starts many processes of each server, one after the other in turns, and measures the CPU per request of each for a while.
Prints the spread, and how many processes took more than 1.15 and 1.3 times the median. Tables go to stdout, progress to
stderr. Exit code: 0 done; 1 a server failed; 2 invalid options.
`

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: 'minimal-16,graphwire-16,compiled-16,mercurius-jit' },
    workload: { type: 'string', default: 'W2' },
    processes: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '0.5' },
    'warm-up': { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
})
const chosen = values.servers.split(',').map((name) => contenders.find((one) => one.name === name))
const workload = workloads.find(({ name }) => name === values.workload)
const [processes, seconds, warmUp] = ['processes', 'seconds', 'warm-up'].map((name) =>
  Number(values[name]),
)

if (values.help) process.stdout.write(help)
else if (chosen.includes(undefined) || workload === undefined || !(processes > 0 && seconds > 0)) {
  process.stderr.write('An unknown server or workload, or no positive number.\nTry --help.\n')
  process.exitCode = 2
} else {
  const crew = { loadProcesses: defaultLoadProcesses, connections: 48 }
  const figures = await inWorkshop((workshop) => withCrew(crew, (all) => draw(workshop, all)))
  const head = ['', 'CPU, us', 'min-max', 'max/median', 'over 1.15', 'over 1.3']
  const rows = [...figures].map(([{ name }, list]) => describe(name, list))
  process.stdout.write(formatTable(head, rows, new Set([1, 2, 3, 4, 5])))
}

/** The CPU per request of each process, by contender. */
async function draw(workshop, crew) {
  const figures = new Map(chosen.map((contender) => [contender, []]))
  const here = await createEngineFolders(workshop)
  for (let at = 0; at < processes; at++) {
    process.stderr.write(`process ${at + 1} of ${processes}\n`)
    for (const contender of chosen) {
      const { folder } = await locate(contender, { here })
      const trial = await startTrial({ contender, folder, workload, crew })
      await trial.warmUp(warmUp)
      // The lowest of a few rounds, so that other work on the machine does not look like a slow process.
      const rounds = []
      for (let round = 0; round < 4; round++) rounds.push((await trial.measure(seconds / 4)).cpu)
      figures.get(contender).push(Math.min(...rounds))
      await trial.end()
    }
  }
  return figures
}

function describe(name, list) {
  const middle = median(list)
  const over = (factor) => String(list.filter((figure) => figure > factor * middle).length)
  const most = Math.max(...list)
  return [
    name,
    middle.toFixed(1),
    `${Math.min(...list).toFixed(1)}-${most.toFixed(1)}`,
    (most / middle).toFixed(2),
    over(1.15),
    over(1.3),
  ]
}
