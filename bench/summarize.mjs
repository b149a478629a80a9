import { minimalOf } from './contenders.mjs'

/** What all servers are compared with, besides the minimal handler of their graphql. */
const reference = 'raw-json'

/** The figures of one workload: for each server its usual round, and what its CPU is to that of others. */
export function summarize({ name, title }, runs) {
  const measured = runs.map(({ server, rounds, memory, fault }) => ({
    name: server.contender.name,
    minimal: minimalOf(server.contender),
    ...(fault === undefined ? { memory, ...usualRound(rounds) } : { fault }),
  }))
  return { name, title, servers: measured.map((server) => withRatios(server, measured)) }
}

/**
 * The round at the lower quartile. What else the machine does can only add to the CPU time: it takes caches and
 * shares cores. The lowest of all would miss garbage collections that belong to the server.
 */
function usualRound(rounds) {
  const sorted = rounds.toSorted((a, b) => a.cpu - b.cpu)
  const { cpu, ...others } = sorted[Math.floor((sorted.length - 1) / 4)]
  return { cpu, cpuOfRounds: rounds.map((round) => round.cpu), ...others }
}

function withRatios({ minimal, ...server }, measured) {
  const to = (name) => {
    const other = measured.find((one) => one.name === name)
    return server.cpu === undefined || other?.cpu === undefined ? undefined : server.cpu / other.cpu
  }
  return { ...server, toRaw: to(reference), toMinimal: to(minimal) }
}
