import { fileURLToPath } from 'node:url'
import { versionOf } from './install.mjs'
import { debianVersions } from './peers/list.mjs'

const bench = fileURLToPath(new URL('.', import.meta.url))

/**
 * The servers that are compared with requests, in the order of the tables: a server of servers/list.mjs, its options, and
 * the major version of graphql that it runs on, if any.
 */
export const contenders = [
  { name: 'raw', server: 'raw', constant: true, packages: [] },
  { name: 'raw-json', server: 'raw-json', constant: true, packages: [] },
  { name: 'minimal-16', server: 'minimal', graphql: 16, packages: [] },
  { name: 'minimal-17', server: 'minimal', graphql: 17, packages: [] },
  { name: 'graphwire-16', ...graphwire(16) },
  { name: 'graphwire-17', ...graphwire(17) },
  { name: 'compiled-16', ...graphwire(16, { compiled: true }) },
  { name: 'compiled-17', ...graphwire(17, { compiled: true }) },
  peer('mercurius', 'mercurius', ['mercurius', 'fastify']),
  peer('mercurius-jit', 'mercurius', ['mercurius', 'fastify', 'graphql-jit'], { jit: 1 }),
  // GET is off unless asked for.
  peer('grafserv', 'grafserv', ['grafserv', 'grafast'], { graphqlOverGET: true }),
  peer('apollo', 'apollo', ['@apollo/server']),
  peer('apollo-standalone', 'apollo-standalone', ['@apollo/server']),
  peer('graphql-http', 'graphql-http', ['graphql-http']),
  peer('graphql-yoga', 'graphql-yoga', ['graphql-yoga']),
  foreign('graph-gophers', 'go', ['golang-github-graph-gophers-graphql-go-dev', 'golang-go']),
  foreign('graphql-core', 'python', ['python3-graphql-core', 'python3-waitress']),
]

/** graphwire as another checkout of this repository has built it. */
export const contendersBefore = [16, 17].map((version) => ({
  name: `before-${version}`,
  isBefore: true,
  ...graphwire(version),
}))

/**
 * The servers that are compared with streams. With `own`, the result of each subscriber needs its own execution; otherwise
 * one execution serves all, if the server recognizes that it can.
 */
export const streamContenders = [
  { name: 'bare SSE', server: 'bare', transport: 'sse' },
  ...streamsOfGraphwire('SSE', 'sse'),
  { name: 'graphql-sse', server: 'graphql-sse', transport: 'sse', own: true },
  { name: 'graphql-yoga SSE', server: 'graphql-yoga', transport: 'sse', own: true },
  { name: 'bare ws', server: 'bare', transport: 'ws' },
  ...streamsOfGraphwire('WebSocket', 'ws'),
  { name: 'graphql-ws + ws', server: 'graphql-ws', transport: 'ws', own: true },
  {
    name: 'mercurius',
    server: 'mercurius',
    options: { subscription: true },
    transport: 'ws',
    own: true,
  },
]

/** The servers that execute @defer. */
export const deferring = [
  { name: 'graphwire, 17', ...graphwire(17, { websocket: true }) },
  { name: 'graphql-yoga', server: 'graphql-yoga' },
]

/** The name of the minimal server on the same version of graphql. */
export function minimalOf({ graphql = 16 }) {
  return `minimal-${graphql}`
}

/** The folder whose `node_modules` a contender sees, and its packages with their versions. */
export async function locate(contender, { here, before }) {
  const { graphql, packages, isPeer, isBefore } = contender
  if (contender.foreign !== undefined) return { versions: await debianVersions(packages) }
  const folder = graphql === undefined || isPeer ? bench : (isBefore ? before : here).get(graphql)
  const names = graphql === undefined ? [] : [...packages, 'graphql']
  const versions = await Promise.all(
    names.map(async (name) => `${name} ${await versionOf(folder, name)}`),
  )
  return { folder, versions }
}

function peer(name, server, packages, options) {
  return { name, server, graphql: 16, isPeer: true, packages, options }
}

/** A server in another language, from Debian's packages; it has no other workloads. */
function foreign(name, language, packages) {
  return { name, foreign: language, packages, workloads: ['W1', 'W2', 'W3', 'W4'] }
}

function graphwire(graphql, options) {
  return { server: 'graphwire', graphql, packages: ['graphwire'], options }
}

function streamsOfGraphwire(title, transport) {
  const kinds = [
    { suffix: '', own: true },
    { suffix: ', compiled', own: true, compiled: true },
    { suffix: ', shared', own: false },
  ]
  return kinds.flatMap(({ suffix, own, compiled }) =>
    [16, 17].map((version) => ({
      name: `graphwire ${title}, ${version}${suffix}`,
      isGraphwire: true,
      transport,
      own,
      ...graphwire(version, { websocket: true, compiled }),
    })),
  )
}
