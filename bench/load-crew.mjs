import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { askProcess } from './ask-process.mjs'

const script = fileURLToPath(new URL('load.mjs', import.meta.url))

/** The numbers that make documents new are this far apart between two processes, and as long in all. */
const stride = 100_000_000

/** The processes that ask, `size` of them; each lives for the whole benchmark. */
export function startLoadCrew(size, connections) {
  const crew = Array.from({ length: size }, (_, at) =>
    fork(script, [String((at + 1) * stride)], { serialization: 'advanced' }),
  )
  // From now on: Ctrl-C in a terminal ends them at the same time as the process that measures.
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

    /** The same at a pace that does not depend on the answers. */
    runPaced: (seconds, perSecond) =>
      collect(() => ({ pace: { seconds, perSecond: perSecond / size } })),

    close: () => all('closed', () => ({ close: true })),

    async end() {
      for (const child of crew) child.kill('SIGKILL')
      await Promise.all(exits)
    },
  }
}

/** A server answered, but not what graphql-js answers. */
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
