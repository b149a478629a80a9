import { Agent } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lap } from './prober.js'
import { send } from '../send.js'

// A process of its own, so that the load that the attack makes does not look like a slow server.
const port = Number(process.argv[2])
const everyMs = 50
const kept = new Agent({ keepAlive: true, maxSockets: 1 })

const none: Lap = { probes: 0, worst: 0, wrong: [] }
let lap = none
let isAsked = false

process.on('message', (order: 'begin' | 'end') => {
  if (order === 'begin') lap = none
  else isAsked = true
})
process.once('disconnect', () => process.exit())

for (let count = 0; ; count++) {
  const start = performance.now()
  const wrong = await probe(count % 2 === 0)
  const waited = performance.now() - start
  lap = {
    probes: lap.probes + 1,
    worst: Math.max(lap.worst, waited),
    wrong: wrong === undefined ? lap.wrong : [...lap.wrong, wrong],
  }
  // Not before: the probe that was under way is the one that had to wait.
  if (isAsked) process.send?.(lap)
  isAsked = false
  await pause(Math.max(0, everyMs - waited))
}

/** What was wrong with the answer to a probe, if anything: every other one is a new client. */
async function probe(isNew: boolean): Promise<string | undefined> {
  try {
    const agent = isNew ? false : kept
    const { status, body } = await send({ port, agent }, '{"query":"{ hello }"}')
    const isRight = status === 200 && body === '{"data":{"hello":"world"}}'
    return isRight ? undefined : `${status} ${body.slice(0, 200)}`
  } catch (error) {
    return (error as Error).message
  }
}
