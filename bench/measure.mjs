import { isDeepStrictEqual } from 'node:util'
import { execute, parse, validate } from 'graphql'
import { Connection } from './connection.mjs'
import { quantile } from './median.mjs'
import { WrongAnswerError, startServer } from './processes.mjs'
import { createSchema } from './servers/people.mjs'
import { toHttp } from './workloads.mjs'

/** Seconds of load before each measurement, since the server was idle before. */
const freshenUp = 0.05

/** How many documents are checked if each is different. */
const samples = 256

const schema = createSchema('sync')

/**
 * Measures all servers under one workload, in several processes of each, one after the other: of six to eight processes of
 * graphwire, one was slower for its whole life. A server that fails is reported and gets no more requests.
 */
export async function runWorkload(workload, servers, plan, tell) {
  const { processes, rounds } = plan
  const able = servers.filter(
    ({ contender }) => contender.workloads?.includes(workload.name) ?? true,
  )
  const runs = able.map((server) => ({
    server,
    rounds: [],
    memory: undefined,
    fault: undefined,
  }))
  for (let process = 0; process < processes; process++) {
    const from = Math.floor((rounds * process) / processes)
    const to = Math.floor((rounds * (process + 1)) / processes)
    await runProcesses(workload, runs, { ...plan, from, to }, tell)
  }
  return runs
}

/**
 * One process of each server. They all run, but only one gets requests at a time: round by round, for a short
 * while, each round starting with another one, so that other work on the machine affects all.
 */
async function runProcesses(workload, runs, plan, tell) {
  const { crew, rounds, seconds, warmUp, signal, from, to } = plan
  const trials = new Map()
  const attempt = async (run, action) => {
    if (run.fault !== undefined) return
    signal.throwIfAborted()
    try {
      await action()
    } catch (error) {
      signal.throwIfAborted()
      run.fault = error.message
      tell(`${workload.name}, ${run.server.contender.name}: ${error.message}`)
      await crew.close()
    }
  }
  try {
    tell(`${workload.name}: starting, checking, warming up`)
    for (const run of runs) {
      await attempt(run, async () => {
        const trial = await startTrial({ ...run.server, workload, crew })
        trials.set(run, trial)
        await trial.warmUp(warmUp)
      })
    }
    for (let round = from; round < to; round++) {
      if ((round - from) % 10 === 0) tell(`${workload.name}: round ${round + 1} of ${rounds}`)
      for (const run of rotate(runs, round)) {
        await attempt(run, async () => run.rounds.push(await trials.get(run).measure(seconds)))
      }
    }
    for (const run of runs) {
      await attempt(run, async () => (run.memory = await trials.get(run).memory()))
    }
  } finally {
    await Promise.all([...trials.values()].map((trial) => trial.end()))
  }
}

function rotate(list, by) {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

/**
 * Starts one server for one workload and checks its answers. `measure` then sends load for some seconds. No request is
 * on its way when the CPU time is read, so all of it belongs to the requests that were counted.
 */
export async function startTrial({ contender, folder, workload, crew }) {
  const server = await startServer(folder, contender, 'people', {
    RESOLVERS: workload.resolvers ?? 'sync',
    ...(contender.constant ? { ANSWER: referenceAnswer(workload, 0) } : {}),
  })
  const end = () => server.end()
  try {
    const status = await checkAnswers(server.port, workload, contender.constant)
    const target = { port: server.port, workload: workload.name, status }
    return {
      warmUp: (seconds) => warmUpServer(crew, target, seconds),
      measure,
      measureLatencies,
      memory,
      end,
    }

    async function measure(seconds) {
      await crew.open(target)
      await crew.run(freshenUp)
      const before = await server.usage()
      const load = await crew.run(seconds)
      const used = (await server.usage()) - before
      await crew.close()
      return {
        cpu: used / load.requests,
        busy: used / 1e6 / load.seconds,
        perSecond: load.requests / load.seconds,
        p50: quantile(load.latencies, 0.5),
        p99: quantile(load.latencies, 0.99),
      }
    }

    /** The latencies at a pace that does not depend on the server, sorted. */
    async function measureLatencies(seconds, perSecond) {
      await crew.open(target)
      const { latencies } = await crew.runPaced(seconds, perSecond)
      await crew.close()
      return latencies
    }
  } catch (error) {
    await end()
    throw error
  }

  /** In megabytes, without load. */
  async function memory() {
    const { loaded, rest } = await server.memory()
    return { loaded: loaded / 1e6, rest: rest / 1e6 }
  }
}

async function warmUpServer(crew, target, seconds) {
  await crew.open(target)
  await crew.run(seconds)
  await crew.close()
}

/** The response of graphql-js to the n-th request of a workload, as text. */
function referenceAnswer({ request }, n) {
  const { query, variables: variableValues } = request(n)
  const document = parse(query)
  const errors = validate(schema, document)
  return JSON.stringify(
    errors.length > 0 ? { errors } : execute({ schema, document, variableValues }),
  )
}

/**
 * Sends every request of the workload to a server and compares the responses with those of graphql-js. A server with
 * a constant response is compared with the first one. Returns the status of the responses.
 */
async function checkAnswers(port, workload, isConstant) {
  const connection = new Connection(port)
  let status
  try {
    for (let n = 0; n < Math.min(workload.distinct, samples); n++) {
      const answer = await ask(connection, toHttp(workload, n))
      const expected = referenceAnswer(workload, isConstant ? 0 : n)
      status ??= answer.status
      if (answer.status !== status || !isSame(workload, JSON.parse(answer.text), expected)) {
        throw new WrongAnswerError(
          `${answer.status} ${answer.text.slice(0, 300)} instead of ${expected.slice(0, 300)}`,
        )
      }
    }
  } finally {
    connection.close()
  }
  return status
}

/** Texts of errors and the order of keys may differ between servers; data may not. */
function isSame({ refused = false }, answer, expected) {
  if (refused) return (answer.data ?? null) === null && answer.errors?.length > 0
  return isDeepStrictEqual(answer, JSON.parse(expected))
}

function ask(connection, request) {
  return new Promise((resolve, reject) => {
    connection.ask(request, (status, body) => resolve({ status, text: body.toString() }), reject)
  })
}
