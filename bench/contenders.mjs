import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const bench = fileURLToPath(new URL('.', import.meta.url))

/** The servers in the order of the tables: `graphql` is the major version each runs on, if any. */
export const contenders = [
  { name: 'raw', script: 'raw', constant: true, packages: [] },
  { name: 'raw-json', script: 'raw-json', constant: true, packages: [] },
  { name: 'minimal-16', script: 'minimal', graphql: 16, packages: [] },
  { name: 'minimal-17', script: 'minimal', graphql: 17, packages: [] },
  { name: 'graphwire-16', script: 'graphwire', graphql: 16, packages: ['graphwire'] },
  { name: 'graphwire-17', script: 'graphwire', graphql: 17, packages: ['graphwire'] },
  { name: 'compiled-16', script: 'compiled', graphql: 16, packages: ['graphwire'] },
  { name: 'compiled-17', script: 'compiled', graphql: 17, packages: ['graphwire'] },
  peer('mercurius', 'mercurius', ['mercurius', 'fastify']),
  peer('mercurius-jit', 'mercurius', ['mercurius', 'fastify', 'graphql-jit'], { JIT: '1' }),
  peer('grafserv', 'grafserv', ['grafserv', 'grafast']),
  peer('apollo', 'apollo', ['@apollo/server']),
  peer('apollo-standalone', 'apollo-standalone', ['@apollo/server']),
  peer('graphql-http', 'graphql-http', ['graphql-http']),
  peer('graphql-yoga', 'yoga', ['graphql-yoga']),
]

/** graphwire as another checkout of this repository has built it. */
export const contendersBefore = [16, 17].map((graphql) => ({
  name: `before-${graphql}`,
  script: 'graphwire',
  graphql,
  isBefore: true,
  packages: ['graphwire'],
}))

/** The name of the server that one is compared with as "minimal": that of the same graphql. */
export function minimalOf({ graphql = 16 }) {
  return `minimal-${graphql}`
}

/** The folder whose `node_modules` a contender sees, and its packages with their versions. */
export async function locate({ graphql, packages, isPeer, isBefore }, { here, before }) {
  const folder = graphql === undefined || isPeer ? bench : (isBefore ? before : here).get(graphql)
  const names = graphql === undefined ? [] : [...packages, 'graphql']
  return { folder, versions: await Promise.all(names.map((name) => nameAndVersion(folder, name))) }
}

function peer(name, script, packages, env = {}) {
  return { name, script, graphql: 16, isPeer: true, packages, env }
}

async function nameAndVersion(folder, name) {
  const file = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')
  return `${name} ${JSON.parse(file).version}`
}
