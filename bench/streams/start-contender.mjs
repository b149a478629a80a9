import { fileURLToPath } from 'node:url'
import { startServer } from '../server-process.mjs'

const bench = fileURLToPath(new URL('..', import.meta.url))

/** Starts the server of a contender with these variables. */
export function startContender({ script, graphql, own, compiled }, folders, env = {}) {
  const folder = folders.get(graphql) ?? bench
  const variables = { OWN: own ? '1' : '0', COMPILED: compiled ? '1' : '0', ...env }
  return startServer(folder, { script, env: variables, isPeer: true })
}
