// What a subscriber costs: heap while idle, CPU per delivered result. `node bench/streams.mjs --help`
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { createEngineFolders } from './engine-folders.mjs'
import { median } from './median.mjs'
import { startServer } from './server-process.mjs'
import { openSubscribers } from './subscribers.mjs'

const bench = fileURLToPath(new URL('.', import.meta.url))

const help = `node bench/streams.mjs [--subscribers 300] [--events 20] [--rounds 10] [--only 'a;b'] [--json]

Compares servers as subscribers are idle, and as all of them get events. Each round measures every server once, beginning with
another one; all figures are medians, and the ratios are those of the same round.`

/** The servers: `shared` lets one execution serve all subscribers, if the server can tell that it may. */
const contenders = [
  { name: 'bare SSE', script: 'stream-bare', transport: 'sse' },
  {
    name: 'graphwire SSE, 16',
    script: 'stream-graphwire',
    transport: 'sse',
    graphql: 16,
    own: true,
  },
  {
    name: 'graphwire SSE, 17',
    script: 'stream-graphwire',
    transport: 'sse',
    graphql: 17,
    own: true,
  },
  { name: 'graphwire SSE, 16, shared', script: 'stream-graphwire', transport: 'sse', graphql: 16 },
  { name: 'graphwire SSE, 17, shared', script: 'stream-graphwire', transport: 'sse', graphql: 17 },
  { name: 'graphql-sse', script: 'stream-graphql-sse', transport: 'sse', own: true },
  { name: 'graphql-yoga SSE', script: 'stream-yoga', transport: 'sse', own: true },
  { name: 'bare ws', script: 'stream-bare', transport: 'ws' },
  {
    name: 'graphwire WebSocket, 16',
    script: 'stream-graphwire',
    transport: 'ws',
    graphql: 16,
    own: true,
  },
  {
    name: 'graphwire WebSocket, 17',
    script: 'stream-graphwire',
    transport: 'ws',
    graphql: 17,
    own: true,
  },
  {
    name: 'graphwire WebSocket, 16, shared',
    script: 'stream-graphwire',
    transport: 'ws',
    graphql: 16,
  },
  {
    name: 'graphwire WebSocket, 17, shared',
    script: 'stream-graphwire',
    transport: 'ws',
    graphql: 17,
  },
  { name: 'graphql-ws + ws', script: 'stream-graphql-ws', transport: 'ws', own: true },
  { name: 'mercurius', script: 'stream-mercurius', transport: 'ws', own: true },
]

const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '300' },
    events: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '10' },
    only: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(help)
} else {
  const workshop = await mkdtemp(join(tmpdir(), 'graphwire-streams-'))
  try {
    await run(await createEngineFolders(workshop))
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

async function run(folders) {
  const [subscribers, events, rounds] = ['subscribers', 'events', 'rounds'].map((name) =>
    Number(values[name]),
  )
  const wanted = values.only?.split(';')
  const chosen = contenders.filter(({ name }) => wanted === undefined || wanted.includes(name))
  const trials = []
  try {
    for (const contender of chosen) trials.push(await start(contender, folders, subscribers))
    for (let round = 0; round < rounds; round++) {
      console.error(`round ${round + 1} of ${rounds}`)
      for (let at = 0; at < trials.length; at++) {
        await measure(trials[(at + round) % trials.length], subscribers, events, round === 0)
      }
    }
    report(trials)
  } finally {
    for (const { server } of trials) await server.end()
  }
}

/** Starts a server, and measures its idle subscribers; they stay. */
async function start(contender, folders, subscribers) {
  console.error(`starting ${contender.name}`)
  const folder = folders.get(contender.graphql) ?? bench
  const script = { script: contender.script, env: { OWN: contender.own ? '1' : '0' }, isPeer: true }
  const server = await startServer(folder, script)
  // The first connections load code, which is not theirs.
  const first = await openSubscribers(contender.transport, server.port, 20)
  await first.close()
  const before = await server.heap()
  const crowd = await openSubscribers(contender.transport, server.port, subscribers)
  while ((await server.sources()) < subscribers) await new Promise(setImmediate)
  const heap = ((await server.heap()) - before) / subscribers
  return { contender, server, crowd, heap, cpu: [] }
}

async function measure({ server, crowd, cpu }, subscribers, events, isWarmUp) {
  const before = await server.usage()
  for (let event = 0; event < events * (isWarmUp ? 10 : 1); event++) {
    const received = await crowd.receive(subscribers)
    server.publish()
    await received()
  }
  const used = (await server.usage()) - before
  if (!isWarmUp) cpu.push(used / (subscribers * events))
}

function report(trials) {
  const rows = trials.map(({ contender, heap, cpu }) => ({
    server: contender.name,
    heapPerSubscriber: Math.round(heap / 102.4) / 10,
    cpuPerResult: Math.round(median(cpu) * 10) / 10,
  }))
  if (values.json) return console.log(JSON.stringify(rows, undefined, 2))
  console.log('| server | heap of an idle subscriber, KB | CPU per result, us |\n|---|---|---|')
  for (const { server, heapPerSubscriber, cpuPerResult } of rows) {
    console.log(`| ${server} | ${heapPerSubscriber} | ${cpuPerResult} |`)
  }
}
