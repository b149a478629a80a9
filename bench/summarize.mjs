import { minimalOf } from './contenders.mjs'
import { median } from './median.mjs'

/** What all servers are compared with, besides the minimal handler of their graphql. */
export const reference = 'raw-json'

/** The figures of one workload: for each server medians over the rounds, and ratios of the same round. */
export function summarize(workload, runs) {
  const { name, title } = workload
  return { name, title, servers: runs.map((run) => summarizeRun(run, runs)) }
}

function summarizeRun({ server, rounds, memory, fault }, runs) {
  const { contender } = server
  if (fault !== undefined) return { name: contender.name, fault }
  const of = (figure) => median(rounds.map((round) => round[figure]))
  const costs = rounds.map(({ cpu }) => cpu)
  return {
    name: contender.name,
    cpu: { median: of('cpu'), min: Math.min(...costs), max: Math.max(...costs) },
    // Of so many times the CPU of the other: above 1 is more than it takes.
    toRaw: ratio(rounds, reference, runs),
    toMinimal: ratio(rounds, minimalOf(contender), runs),
    busy: of('busy'),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    memory,
    rounds: costs,
  }
}

/** The ratio of the CPU to that of another server: the median of the rounds, or nothing where it was not measured. */
function ratio(rounds, name, runs) {
  const other = runs.find((run) => run.server.contender.name === name)
  return other === undefined || other.fault !== undefined
    ? undefined
    : median(rounds.map(({ cpu }, round) => cpu / other.rounds[round].cpu))
}
