import { openSubscribers } from './subscribers.mjs'
import { startContender } from './start-contender.mjs'

/** What a server holds for a subscriber that reads nothing, in bytes, while 20 MB of events are published. */
export async function measureIdler(contender, folders) {
  console.error(`a subscriber of ${contender.name} that reads nothing`)
  // The source keeps few events, so what is held is held by the server.
  const server = await startContender(contender, folders, { MAX_QUEUE: '10' })
  try {
    // What the events take by themselves, and the code for them.
    const reader = await openSubscribers(contender.transport, server.port, 1)
    while ((await server.sources()) < 1) await new Promise(setImmediate)
    await server.flood()
    await reader.close()
    while ((await server.sources()) > 0) await new Promise(setImmediate)
    const crowd = await openSubscribers(contender.transport, server.port, 1)
    while ((await server.sources()) < 1) await new Promise(setImmediate)
    const before = await server.held()
    crowd.pause()
    await server.flood()
    const held = (await server.held()) - before
    await crowd.close()
    return held
  } finally {
    await server.end()
  }
}
