import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { median } from './median.mjs'
import { startServer } from './processes.mjs'

const bench = fileURLToPath(new URL('.', import.meta.url))

/** The requests whose first bytes are compared. */
const both = [
  ['plain', '{ hello }'],
  ['deferred', '{ hello ... @defer { later: hello } }'],
]

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
  // The first connections load code, which must not count.
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

/** What a server holds for a subscriber that reads nothing, in bytes, while 20 MB of events are published. */
export async function measureIdler(contender, folders) {
  console.error(`a subscriber of ${contender.name} that reads nothing`)
  // The source keeps few events, so the rest is held by the server.
  const server = await startContender(contender, folders, { MAX_QUEUE: '10' })
  try {
    // Events and the code for them take memory by themselves.
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

/** The time until the first bytes of a response, without and with @defer, in milliseconds. */
export async function measureFirstParts(contenders, folders, requests) {
  const measured = []
  for (const contender of contenders) {
    console.error(`the first part of ${contender.name}`)
    const server = await startContender(contender, folders)
    try {
      measured.push({ name: contender.name, ...(await compare(server.port, requests)) })
    } finally {
      await server.end()
    }
  }
  return measured
}

async function compare(port, requests) {
  const times = { plain: [], deferred: [] }
  for (let at = -requests / 4; at < requests; at += 1) {
    for (const [name, query] of at % 2 === 0 ? both : both.toReversed()) {
      const time = await firstBytes(port, query)
      if (at >= 0) times[name].push(time)
    }
  }
  return { plain: median(times.plain), deferred: median(times.deferred) }
}

/** Each request has a connection of its own, which is open before the time begins. */
async function firstBytes(port, query) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const body = JSON.stringify({ query })
  const startedAt = performance.now()
  socket.write(
    'POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: multipart/mixed, application/json;q=0.9\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  const [first] = await once(socket, 'data')
  const time = performance.now() - startedAt
  if (!first.toString('latin1').includes(' 200 ')) throw new Error(first.toString('latin1'))
  socket.resume()
  await once(socket, 'close')
  return time
}

/** Starts the server of a contender with these variables. */
function startContender(contender, folders, env = {}) {
  const folder = folders.get(contender.graphql) ?? bench
  return startServer(folder, contender, 'ticks', { OWN: contender.own ? '1' : '0', ...env })
}

const subscription = 'subscription { tick { id at text tags } }'

/** Opens so many subscriptions, each on a connection of its own; counts the results that they get. */
async function openSubscribers(transport, port, count) {
  const counted = { results: 0 }
  const opened = []
  for (let at = 0; at < count; at += 50) {
    const some = Array.from({ length: Math.min(50, count - at) }, () =>
      open[transport](port, counted),
    )
    opened.push(...(await Promise.all(some)))
  }
  return {
    /** Waits until all subscribers together have got so many results more. */
    async receive(results, timeout = 20_000) {
      const goal = counted.results + results
      const deadline = Date.now() + timeout
      return async () => {
        while (counted.results < goal) {
          if (Date.now() > deadline) throw new Error(`${counted.results} of ${goal} results came`)
          await new Promise(setImmediate)
        }
      }
    },
    /** Stops reading. */
    pause() {
      for (const { pause } of opened) pause()
    },
    async close() {
      await Promise.all(opened.map(({ close }) => close()))
    },
  }
}

const open = {
  async sse(port, counted) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const body = JSON.stringify({ query: subscription })
    socket.write(
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    // Each result has one such line; a chunk may end within it.
    let rest = ''
    socket.on('data', (chunk) => {
      const text = rest + chunk.toString('latin1')
      const parts = text.split('event: next')
      counted.results += parts.length - 1
      rest = parts.at(-1).slice(-10)
    })
    await once(socket, 'data')
    return {
      pause: () => socket.pause(),
      async close() {
        socket.destroy()
        if (!socket.closed) await once(socket, 'close')
      },
    }
  },
  async ws(port, counted) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      perMessageDeflate: false,
    })
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    await once(socket, 'message')
    socket.on('message', () => (counted.results += 1))
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: subscription } }))
    return {
      pause: () => socket.pause(),
      async close() {
        socket.terminate()
        if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
      },
    }
  },
}
