import { checkAnswers, referenceAnswer } from './check-answers.mjs'
import { startServer } from './server-process.mjs'

/** Seconds of load before each measurement, since the server was idle before. */
const freshenUp = 0.05

/**
 * Starts one server for one workload and checks its answers. `measure` then sends load for some seconds. No request is
 * on its way when the CPU time is read, so all of it belongs to the requests that were counted.
 */
export async function startTrial({ contender, folder, workload, crew }) {
  const server = await startServer(folder, contender, {
    RESOLVERS: workload.resolvers ?? 'sync',
    ...(contender.constant ? { ANSWER: referenceAnswer(workload, 0) } : {}),
  })
  const end = () => server.end()
  try {
    const status = await checkAnswers(server.port, workload, contender.constant)
    const target = { port: server.port, workload: workload.name, status }
    return {
      warmUp: (seconds) => warmUp(crew, target, seconds),
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

async function warmUp(crew, target, seconds) {
  await crew.open(target)
  await crew.run(seconds)
  await crew.close()
}

export function quantile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}
