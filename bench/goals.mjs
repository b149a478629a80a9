import { contenders } from './contenders.mjs'
import { workloads as allWorkloads } from './workloads.mjs'

/** The spread between runs of the same server: with at least this ratio, two are level. */
const level = 0.92

const peers = contenders.filter(({ isPeer }) => isPeer).map(({ name }) => name)
const versions = [16, 17]

/**
 * The goals of graphwire: the factor by which it is faster than another server under a workload, as the ratio of CPU per
 * request; and how much memory it may take.
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
  // Where it does not execute, graphql 17 costs no more than graphql 16.
  ...allWorkloads.map(({ name }) => faster(name, 'compiled-17', 'compiled-16', 0.91)),
]

/** Compares the figures with the goals: a verdict for each goal whose servers were measured. */
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

const MiB = 1024 * 1024

/** Goals of streams, against the server of the same transport that each is compared with. */
const streamGoals = [
  heap('SSE', 'graphql-sse', 0.5),
  heap('SSE', 'graphql-yoga SSE', 0.3),
  heap('WebSocket', 'graphql-ws + ws', 0.5),
  cpu('SSE', ', compiled', 'graphql-sse', 0.5),
  cpu('SSE', ', compiled', 'graphql-yoga SSE', 0.3),
  cpu('WebSocket', ', compiled', 'graphql-ws + ws', 0.5),
  cpu('SSE', ', shared', 'bare SSE', 1.3),
  cpu('WebSocket', ', shared', 'bare ws', 1.3),
]

/** Compares the figures of streams with their goals. */
export function judgeStreams(servers, parts) {
  const judged = streamGoals.flatMap(({ transport, kind, other, bound, figureOf, text }) =>
    ['16', '17'].flatMap((version) => {
      const name = `graphwire ${transport}, ${version}${kind}`
      const [ours, theirs] = [name, other].map((wanted) =>
        servers.find((server) => server.name === wanted),
      )
      if (ours === undefined || theirs === undefined) return []
      const figure = figureOf(ours) / figureOf(theirs)
      return [{ name: `${name} against ${other}`, text, figure, reached: figure <= bound }]
    }),
  )
  const own = servers.filter(({ isGraphwire }) => isGraphwire)
  return [
    ...judged,
    ...own.map(({ name, idler }) => ({
      name: `${name}, a subscriber that reads nothing`,
      text: 'at most 1.1 MiB held',
      figure: idler / MiB,
      reached: idler <= 1.1 * MiB,
    })),
    ...parts
      .filter(({ name }) => name.startsWith('graphwire'))
      .map(({ name, plain, deferred }) => ({
        name: `${name}, the first part of @defer`,
        text: 'at most 1.1 times the query without it',
        figure: deferred / plain,
        reached: deferred / plain <= 1.1,
      })),
  ]
}

function heap(transport, other, bound) {
  const text = `at most ${bound} of the heap of an idle subscriber`
  return { transport, kind: ', shared', other, bound, figureOf: (server) => server.heap, text }
}

function cpu(transport, kind, other, bound) {
  const text = `at most ${bound} of the CPU per result`
  return { transport, kind, other, bound, figureOf: (server) => server.cpu, text }
}
