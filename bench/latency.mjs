// How long do clients wait when the server is half busy, and when it is almost busy? See README.md.
import { parseArgs } from 'node:util'
import { contenders, locate } from './contenders.mjs'
import { createEngineFolders, inWorkshop } from './install.mjs'
import { startTrial } from './measure.mjs'
import { median, quantile } from './median.mjs'
import { defaultLoadProcesses, withCrew } from './processes.mjs'
import { formatTable } from './report.mjs'
import { workloads } from './workloads.mjs'

const help = `How long do clients wait when the server is half busy, and when it is almost busy?

  node bench/latency.mjs [--servers NAME,...] [--workloads W1,W2] [--rounds 6] [--seconds 1] [--warm-up 3]

First finds out how many requests per second each server handles over 48 connections. Then requests come at random
moments, at 50 % and at 90 % of that, whether responses have come or not. Latencies count from the moment at which a
request was due. The servers are measured in turns, a round each. Tables go to stdout, progress to stderr. Exit code: 0
done; 1 a server failed; 2 invalid options.
`
const shares = [0.5, 0.9]

const { values } = parseArgs({
  options: {
    servers: {
      type: 'string',
      default: 'raw-json,minimal-16,graphwire-16,compiled-16,mercurius,mercurius-jit',
    },
    workloads: { type: 'string', default: 'W1,W2' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})
const chosen = values.servers.split(',').map((name) => contenders.find((one) => one.name === name))
const wanted = values.workloads.split(',').map((name) => workloads.find((one) => one.name === name))
const [rounds, seconds, warmUp] = ['rounds', 'seconds', 'warm-up'].map((name) =>
  Number(values[name]),
)

if (values.help) process.stdout.write(help)
else if ([...chosen, ...wanted].includes(undefined) || !(rounds > 0 && seconds > 0)) {
  process.stderr.write('An unknown server or workload, or no positive number.\nTry --help.\n')
  process.exitCode = 2
} else {
  await inWorkshop(async (workshop) => {
    const here = await createEngineFolders(workshop)
    await withCrew({ loadProcesses: defaultLoadProcesses, connections: 48 }, async (crew) => {
      for (const workload of wanted) {
        process.stderr.write(`${workload.name}\n`)
        const rows = await measureWorkload(workload, here, crew)
        process.stdout.write(`### ${workload.name}: ${workload.title}\n\n${format(rows)}\n`)
      }
    })
  })
}

async function measureWorkload(workload, here, crew) {
  const runs = []
  try {
    for (const contender of chosen) {
      const { folder } = await locate(contender, { here })
      const trial = await startTrial({ contender, folder, workload, crew })
      runs.push({ contender, trial, capacities: [], latencies: shares.map(() => []) })
      await trial.warmUp(warmUp)
    }
    for (let round = 0; round < 3; round++) {
      for (const { trial, capacities } of runs) {
        capacities.push((await trial.measure(seconds / 2)).perSecond)
      }
    }
    for (let round = 0; round < rounds; round++) {
      for (const one of runs) await measureRound(one)
    }
    return runs
  } finally {
    for (const { trial } of runs) await trial.end()
  }
}

async function measureRound({ trial, capacities, latencies }) {
  const capacity = median(capacities)
  for (const [at, share] of shares.entries()) {
    latencies[at].push(await trial.measureLatencies(seconds, share * capacity))
  }
}

/** Takes the median of several rounds for each quantile, against noise of other work on the machine. */
function format(runs) {
  const quantiles = [0.5, 0.99, 0.999]
  const head = [
    '',
    'requests/s',
    ...shares.flatMap((share) => quantiles.map((part) => `${share * 100} %: p${part * 100}, ms`)),
  ]
  const rows = runs.map(({ contender, capacities, latencies }) => [
    contender.name,
    median(capacities).toFixed(0),
    ...latencies.flatMap((list) =>
      quantiles.map((part) => median(list.map((sorted) => quantile(sorted, part))).toFixed(2)),
    ),
  ])
  return formatTable(head, rows, new Set([1, 2, 3, 4, 5, 6, 7]))
}
