import { contenders } from './contenders.mjs'
import { workloads as allWorkloads } from './workloads.mjs'

/** What two runs of the same differ by: so much slower is still level. */
const level = 0.92

const peers = contenders.filter(({ isPeer }) => isPeer).map(({ name }) => name)
const versions = [16, 17]

/**
 * What graphwire is to reach: so many times as fast as another server under a workload, which is the ratio of the
 * CPU per request; and how much memory it may take.
 */
const goals = [
  faster('W1', 'graphwire-16', 'mercurius', 1.1),
  faster('W1', 'graphwire-16', 'mercurius-jit', 1.1),
  faster('W1', 'graphwire-16', 'graphql-yoga', 10),
  faster('W2', 'graphwire-16', 'mercurius', 1.05),
  faster('W2', 'graphwire-16', 'apollo', 1.9),
  faster('W2', 'graphwire-16', 'graphql-yoga', 6),
  faster('W3', 'graphwire-16', 'mercurius', level),
  faster('W3', 'graphwire-17', 'mercurius', 1.15),
  faster('W4', 'graphwire-16', 'mercurius', 1.2),
  ...peers.map((peer) => faster('W5', 'graphwire-16', peer, 1.5)),
  ...peers.map((peer) => faster('W6', 'graphwire-16', peer, level)),
  ...versions.flatMap((version) => [
    faster('W1', `graphwire-${version}`, `minimal-${version}`, 0.85),
    faster('W2', `graphwire-${version}`, `minimal-${version}`, 0.92),
    faster('W3', `graphwire-${version}`, `minimal-${version}`, 0.97),
    faster('W5', `graphwire-${version}`, `minimal-${version}`, 1.4),
    lighter('W5', `graphwire-${version}`, `minimal-${version}`, 1.2),
  ]),
  // The compiled executor. Without generated code it is to beat the peer that generates some.
  faster('W1', 'compiled-16', 'mercurius', 1.1),
  faster('W1', 'compiled-16', 'mercurius-jit', 1.11),
  faster('W2', 'compiled-16', 'mercurius-jit', 1.11),
  faster('W2-async', 'compiled-16', 'mercurius-jit', 0.91),
  faster('W3', 'compiled-16', 'mercurius-jit', 1.25),
  faster('W3', 'compiled-16', 'minimal-16', 5.5),
  faster('W3', 'compiled-16', 'raw-json', 0.167),
  faster('W4', 'compiled-16', 'mercurius-jit', 1.11),
  faster('W5', 'compiled-16', 'mercurius', 1.5),
  faster('W5', 'compiled-16', 'mercurius-jit', 1.5),
  faster('W6', 'compiled-16', 'mercurius', 1),
  faster('W6', 'compiled-16', 'mercurius-jit', 1),
  faster('W8', 'compiled-16', 'mercurius-jit', 0.625),
  faster('W8', 'compiled-16', 'minimal-16', 3.33),
  ...versions.map((version) => faster('W5', `compiled-${version}`, `graphwire-${version}`, 0.98)),
  // graphql 17 costs no more than graphql 16 where it does not execute.
  ...allWorkloads.map(({ name }) => faster(name, 'compiled-17', 'compiled-16', 0.91)),
]

/** Holds the figures against the goals: a verdict for each whose servers were measured. */
export function judgeGoals(workloads) {
  return goals.flatMap(({ workload: name, ours, other, bound, isReached, figureOf, text }) => {
    const servers = workloads.find((workload) => workload.name === name)?.servers ?? []
    const [one, two] = [ours, other].map((wanted) =>
      servers.find((server) => server.name === wanted && server.fault === undefined),
    )
    if (one === undefined || two === undefined) return []
    const figure = figureOf(one, two)
    return [{ workload: name, ours, other, text, bound, figure, reached: isReached(figure) }]
  })
}

function faster(workload, ours, other, bound) {
  return {
    workload,
    ours,
    other,
    bound,
    text: `at least ${bound} times as fast`,
    isReached: (figure) => figure >= bound,
    figureOf: (one, two) => two.cpu / one.cpu,
  }
}

function lighter(workload, ours, other, bound) {
  return {
    workload,
    ours,
    other,
    bound,
    text: `less than ${bound} times the memory`,
    isReached: (figure) => figure < bound,
    figureOf: (one, two) => one.memory.rest / two.memory.rest,
  }
}
