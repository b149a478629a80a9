import { median } from '../median.mjs'
import { openSubscribers } from './subscribers.mjs'
import { startContender } from './start-contender.mjs'

/** Each server with a crowd of subscribers: while they are idle, while they get events, and after they have left. */
export async function measureCrowds(contenders, folders, { subscribers, events, rounds }) {
  const trials = []
  try {
    for (const contender of contenders) trials.push(await start(contender, folders, subscribers))
    for (let round = 0; round <= rounds; round++) {
      console.error(`round ${round} of ${rounds}`)
      for (let at = 0; at < trials.length; at++) {
        const trial = trials[(at + round) % trials.length]
        const figures = await deliver(trial, subscribers, round === 0 ? 10 * events : events)
        // The first round warms up.
        if (round > 0) trial.figures.push(figures)
      }
    }
    for (const trial of trials) trial.left = await leave(trial)
    return trials.map(summarize)
  } finally {
    for (const { server } of trials) await server.end()
  }
}

async function start(contender, folders, subscribers) {
  console.error(`starting ${contender.name}`)
  const server = await startContender(contender, folders)
  // The first connections load code, which is not theirs.
  const first = await openSubscribers(contender.transport, server.port, 20)
  await first.close()
  const before = await server.heap()
  const crowd = await openSubscribers(contender.transport, server.port, subscribers)
  while ((await server.sources()) < subscribers) await new Promise(setImmediate)
  const heap = ((await server.heap()) - before) / subscribers
  return { contender, server, crowd, heap, figures: [] }
}

/** CPU of the server per result, and the time until the last subscriber has an event. */
async function deliver({ server, crowd }, subscribers, events) {
  const before = await server.usage()
  const times = []
  for (let event = 0; event < events; event++) {
    const startedAt = performance.now()
    const received = await crowd.receive(subscribers)
    server.publish()
    await received()
    times.push(performance.now() - startedAt)
  }
  const used = (await server.usage()) - before
  return { cpu: used / (subscribers * events), fanOut: median(times) }
}

/** How long it takes until all sources are returned, from the end of the connections. */
async function leave({ server, crowd }) {
  const startedAt = performance.now()
  const gone = crowd.close()
  while ((await server.sources()) > 0) await new Promise(setImmediate)
  const time = performance.now() - startedAt
  await gone
  return time
}

function summarize({ contender: { name, isGraphwire, transport, own }, heap, figures, left }) {
  return {
    name,
    isGraphwire,
    transport,
    own,
    heap,
    cpu: median(figures.map(({ cpu }) => cpu)),
    fanOut: median(figures.map(({ fanOut }) => fanOut)),
    left,
  }
}
