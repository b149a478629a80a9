import { minimalOf } from './contenders.mjs'
import { median } from './median.mjs'

/** What all servers are compared with, besides the minimal handler of their graphql. */
const reference = 'raw-json'

/** The figures of one workload: for each server its usual figures, and what its CPU is to that of others. */
export function summarize({ name, title }, runs) {
  const measured = runs.map(({ server, rounds, memory, fault }) => ({
    name: server.contender.name,
    minimal: minimalOf(server.contender),
    ...(fault === undefined ? { memory, ...usualFigures(rounds) } : { fault }),
  }))
  return { name, title, servers: measured.map((server) => withRatios(server, measured)) }
}

/**
 * The CPU is that of the round at the lower quartile. What else the machine does can only add to it: it takes caches and
 * shares cores. The lowest of all would miss garbage collections that belong to the server. How soon answers come
 * hangs on the load as well, so the rest are medians.
 */
function usualFigures(rounds) {
  const costs = rounds.map(({ cpu }) => cpu)
  const of = (figure) => median(rounds.map((round) => round[figure]))
  return {
    cpu: costs.toSorted((a, b) => a - b)[Math.floor((costs.length - 1) / 4)],
    cpuOfRounds: costs,
    busy: of('busy'),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
  }
}

function withRatios({ minimal, ...server }, measured) {
  const to = (name) => {
    const other = measured.find((one) => one.name === name)
    return server.cpu === undefined || other?.cpu === undefined ? undefined : server.cpu / other.cpu
  }
  return { ...server, toRaw: to(reference), toMinimal: to(minimal) }
}
