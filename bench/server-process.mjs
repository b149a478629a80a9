import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { askProcess } from './ask-process.mjs'

/** The core of a server, where the system can pin a process to one and there is another for the load. */
export const core = findCore()

/**
 * Starts a server of `folder/servers` and returns functions that read its CPU time in microseconds, and its
 * memory in bytes, under load and after a garbage collection.
 */
export async function startServer(folder, { script, env, graphql, isPeer }, variables) {
  const port = await freePort()
  const file = join(folder, 'servers', `${script}.mjs`)
  const probe = join(folder, 'servers', 'probe.mjs')
  const command = [process.execPath, '--expose-gc', '--import', probe, file]
  const [program, ...args] = core === undefined ? command : ['taskset', '-c', core, ...command]
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      PORT: String(port),
      ...env,
      ...variables,
    },
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint = (complaint + chunk).slice(-2_000)))
  const closed = once(child, 'close')
  const end = async () => {
    child.kill('SIGKILL')
    await closed
  }
  try {
    const { graphql: version } = await askProcess(child, 'ready')
    if (graphql !== undefined && !isPeer && !version.startsWith(`${graphql}.`)) {
      throw new Error(`it runs graphql ${version}`)
    }
  } catch (error) {
    await end()
    throw new Error(`${error.message} ${complaint}`.trim(), { cause: error })
  }
  return {
    port,
    usage: async () => (await askProcess(child, 'microseconds', 'usage')).microseconds,
    memory: async () => {
      const { loaded, rest } = await askProcess(child, 'rest', 'memory')
      return { loaded, rest }
    },
    heap: async () => (await askProcess(child, 'heap', 'heap')).heap,
    /** The heap and what is outside of it, such as buffers that wait to be sent. */
    held: async () => (await askProcess(child, 'heap', 'heap')).held,
    /** Lets the server of a streaming benchmark publish 20 MB of events. */
    flood: () => askProcess(child, 'flooded', 'flood'),
    /** How many subscriptions the server of a streaming benchmark has. */
    sources: async () => (await askProcess(child, 'sources', 'sources')).sources,
    /** Lets the server of a streaming benchmark publish an event. */
    publish: () => void child.send('publish'),
    end,
  }
}

function findCore() {
  const cores = availableParallelism()
  if (cores < 2) return undefined
  const last = String(cores - 1)
  return spawnSync('taskset', ['-c', last, 'true']).status === 0 ? last : undefined
}

async function freePort() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
