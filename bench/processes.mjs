import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startForeign } from './peers/people/start.mjs'

/** The core of a server, where the system can pin a process to one and there is another for the load. */
export const core = findCore()

const loadScript = fileURLToPath(new URL('load.mjs', import.meta.url))

/** The numbers that make documents new are this far apart between two processes, and as long in all. */
const stride = 100_000_000

/**
 * Starts the server of a contender, of `folder/servers`, with a service, and returns functions that read its CPU time in
 * microseconds, and its memory in bytes, under load and after a garbage collection.
 */
export async function startServer(folder, contender, service, variables) {
  const { server, options, graphql, isPeer, constant } = contender
  const port = await freePort()
  const pin = core === undefined ? [] : ['taskset', '-c', core]
  if (contender.foreign !== undefined) return startForeign(contender, port, pin)
  const main = join(folder, 'servers/main.mjs')
  const served = constant ? [] : [service, JSON.stringify(options ?? {})]
  const [program, ...args] = [...pin, process.execPath, '--expose-gc', main, server, ...served]
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      PORT: String(port),
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

/** Starts `loadProcesses` processes that ask over so many connections, for as long as `work` with them takes. */
export async function withCrew({ loadProcesses, connections }, work) {
  const crew = startLoadCrew(loadProcesses, connections)
  try {
    return await work(crew)
  } finally {
    await crew.end()
  }
}

/** The default number of processes that send load. */
export const defaultLoadProcesses = availableParallelism() < 3 ? 1 : 2

function startLoadCrew(size, connections) {
  const crew = Array.from({ length: size }, (_, at) =>
    fork(loadScript, [String((at + 1) * stride)], { serialization: 'advanced' }),
  )
  // Listened for early: Ctrl-C in a terminal ends them at the same time as the measuring process.
  const exits = crew.map((child) => once(child, 'exit'))
  const all = (name, toMessage) =>
    Promise.all(crew.map((child, at) => askProcess(child, name, toMessage(at))))

  const collect = async (toMessage) => {
    const runs = (await all('ran', toMessage)).map(({ ran }) => ran)
    const wrong = runs.find((run) => run.wrong !== undefined)
    if (wrong !== undefined) throw new WrongAnswerError(wrong.wrong)
    const latencies = joined(runs.map((run) => run.latencies)).toSorted()
    const took = Math.max(...runs.map((run) => run.seconds))
    return { requests: latencies.length, seconds: took, latencies }
  }

  return {
    /** Points the crew at a server. */
    open: (target) =>
      all('opened', (at) => ({
        open: { ...target, connections: Math.floor((connections + at) / size) },
      })),

    /** Asks for so many seconds; gives how many answers came, and how late, in milliseconds. */
    run: (seconds) => collect(() => ({ run: { seconds } })),

    /** Like `run`, at a pace that does not depend on the responses. */
    runPaced: (seconds, perSecond) =>
      collect(() => ({ pace: { seconds, perSecond: perSecond / size } })),

    close: () => all('closed', () => ({ close: true })),

    async end() {
      for (const child of crew) child.kill('SIGKILL')
      await Promise.all(exits)
    },
  }
}

/** The response of a server differs from that of graphql-js. */
export class WrongAnswerError extends Error {}

function joined(arrays) {
  const whole = new Float32Array(arrays.reduce((length, array) => length + array.length, 0))
  let at = 0
  for (const array of arrays) {
    whole.set(array, at)
    at += array.length
  }
  return whole
}

const maxMs = 120_000

/** Sends a message to a child process, if one is given, and waits for the answer that has the property `name`. */
function askProcess(child, name, message) {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      child.off('message', read)
      child.off('exit', gone)
    }
    const read = (answer) => {
      if (!(name in answer)) return
      done()
      resolve(answer)
    }
    const gone = (code, signal) => {
      done()
      reject(new Error(`it ended (${code ?? signal}) before it had answered`))
    }
    const timer = setTimeout(() => {
      done()
      reject(new Error(`no answer within ${maxMs / 1000} seconds`))
    }, maxMs)
    child.on('message', read)
    child.on('exit', gone)
    if (message !== undefined) child.send(message)
  })
}

/** A free port of 127.0.0.1. */
export async function freePort() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function findCore() {
  const cores = availableParallelism()
  if (cores < 2) return undefined
  const last = String(cores - 1)
  return spawnSync('taskset', ['-c', last, 'true']).status === 0 ? last : undefined
}
