const MiB = 1024 * 1024

/** Goals against the server of the same transport that each is compared with. */
const rows = [
  heap('SSE', 'graphql-sse', 0.5),
  heap('SSE', 'graphql-yoga SSE', 0.3),
  heap('WebSocket', 'graphql-ws + ws', 0.5),
  cpu('SSE', ', compiled', 'graphql-sse', 0.5),
  cpu('SSE', ', compiled', 'graphql-yoga SSE', 0.3),
  cpu('WebSocket', ', compiled', 'graphql-ws + ws', 0.5),
  cpu('SSE', ', shared', 'bare SSE', 1.3),
  cpu('WebSocket', ', shared', 'bare ws', 1.3),
]

/** Holds the figures against the goals: a verdict for each whose servers were measured. */
export function judgeStreams(servers, parts) {
  const judged = rows.flatMap(({ transport, kind, other, bound, figureOf, text }) =>
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
