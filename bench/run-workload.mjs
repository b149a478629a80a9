import { startTrial } from './measure.mjs'

/**
 * All servers under one workload, in several processes of each, one after the other: of six to eight processes of
 * graphwire, one was slower than the others for its whole life. A server that fails is reported and gets no more requests.
 */
export async function runWorkload(workload, servers, plan, tell) {
  const { processes, rounds } = plan
  const runs = servers.map((server) => ({
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
