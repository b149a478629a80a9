import { createHash, randomUUID } from 'node:crypto'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { limit, pause, startCluster } from './start.mjs'

/* Ends the processes and connections of a cluster under load, and checks what its clients see. */

const rounds = Number(process.argv[2] ?? 3)
process.exitCode = 1 // until all is well
const cluster = await startCluster()
const { database, instances, schema, url } = cluster

/** What clients did in each phase. */
const figures = {}
const none = { requests: 0, repeated: 0, lost: 0, notes: 0, reads: 0, hits: 0, stale: 0, passed: 0 }
let counters = { ...none }
let isWriting = true
let isFollowing = true

/** Undefined if nothing arrives, or nothing that a server of the cluster has sent. */
async function send(body, headers) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: response.status, age: response.headers.get('age'), ...(await response.json()) }
  } catch {
    return undefined
  }
}

/** Sends until there is a result. For reads, and for writes that have a key or do the same again. */
async function ask(body) {
  counters.requests += 1
  for (let attempt = 1; attempt <= 300; attempt += 1) {
    const response = await send(body)
    if (response?.data) return response
    if (response?.errors?.[0].extensions?.code === 'PERSISTED_QUERY_NOT_FOUND') return response
    counters.repeated += 1
    await pause(50)
  }
  counters.lost += 1
  return { data: undefined }
}

/** The id that each key got. */
const added = new Map()

async function add() {
  const key = randomUUID()
  const query = 'mutation ($key: ID!) { add(key: $key, text: "0") { id } }'
  const { data } = await ask({ query, variables: { key } })
  added.set(key, data?.add.id)
  counters.notes += 1
  return data?.add.id
}

async function write() {
  while (isWriting) await add()
}

/** Edits a note, then reads it several times: from the cache, and by the hash of the document. */
async function editAndRead() {
  const id = await add()
  const query = 'query ($id: ID!) { note(id: $id) { id text } }'
  const sha256Hash = createHash('sha256').update(query).digest('hex')
  const hashed = { variables: { id }, extensions: { persistedQuery: { version: 1, sha256Hash } } }
  for (let version = 1; isWriting; version += 1) {
    await ask({ query: `mutation { edit(id: ${id}, text: "${version}") { id } }` })
    for (let read = 1; read <= 6; read += 1) {
      let response = await ask(hashed)
      if (!response.data) response = await ask({ ...hashed, query })
      counters.reads += 1
      if (response.age !== null) counters.hits += 1
      if (Number(response.data?.note.text) < version) counters.stale += 1
    }
  }
}

/** Sends more than its limit allows; returns how many requests were let through. */
async function exceedLimit(caller, isEnough) {
  let passed = 0
  let isRefused = false
  while (!isEnough() || !isRefused) {
    const response = await send({ query: '{ __typename }' }, { 'X-Caller': caller })
    if (response?.status === 200) passed += 1
    if (response?.status === 429) isRefused = true
    await pause(5)
  }
  return passed
}

/** What each subscriber got. */
const followers = []
let streams = 0

async function follow(open) {
  const ids = []
  followers.push(ids)
  while (isFollowing) {
    streams += 1
    await open(ids).catch(() => {})
    await pause(50)
  }
}

/** Server-Sent Events: a client that reconnects sends the last id. */
async function followEvents(ids) {
  const query = new URLSearchParams({ query: 'subscription { added { id } }' })
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': ids.at(-1) ?? '0' }
  const { body } = await fetch(`${url}?${query}`, { headers })
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split('\n\n')
    text = events.pop()
    for (const event of events) {
      const [, data] = /^data: (.+)$/m.exec(event) ?? []
      if (data !== undefined) ids.push(JSON.parse(data).data.added.id)
    }
  }
}

const sockets = createClient({
  url: url.replace('http', 'ws'),
  webSocketImpl: WebSocket,
  retryAttempts: 0,
})

/** A WebSocket, whose protocol has no ids of events: the last id is an argument. */
async function followSocket(ids) {
  const query = 'subscription ($after: ID) { added(after: $after) { id } }'
  const variables = { after: ids.at(-1) ?? '0' }
  for await (const { data } of sockets.iterate({ query, variables })) ids.push(data.added.id)
}

/** Waits until all kinds of clients have gone on. */
async function untilMore() {
  const { notes, reads } = counters
  while (counters.notes < notes + 20 || counters.reads < reads + 6) await pause(10)
}

/** Waits until nothing has been repeated for a while: then all instances work as they should. */
async function untilCalm() {
  let { notes, repeated } = counters
  while (counters.notes < notes + 30) {
    await pause(10)
    if (counters.repeated > repeated) ({ notes, repeated } = counters)
  }
}

const phases = {
  async 'replace each instance (SIGTERM)'() {
    for (const name of instances) {
      await cluster.end(name, 'SIGTERM')
      await cluster.untilUp(name)
    }
  },
  async 'kill each instance, then two at once'() {
    for (const names of [...instances.map((name) => [name]), instances.slice(1)]) {
      await Promise.all(names.map((name) => cluster.end(name, 'SIGKILL')))
      await untilMore()
      await cluster.untilUp(...names)
    }
  },
  async 'cut the connections of HAProxy, kill it'() {
    for (const name of instances) {
      await cluster.command(`shutdown sessions server graphwire/${name}`)
      await untilMore()
    }
    await cluster.end('haproxy', 'SIGKILL')
    await cluster.untilUp(...instances)
  },
  async 'kill Redis'() {
    await cluster.end('redis', 'SIGKILL')
    await untilCalm()
  },
}

async function storm() {
  for (let round = 1; round <= rounds; round += 1) {
    for (const [phase, run] of Object.entries(phases)) {
      const mine = (figures[phase] ??= { ...none })
      counters = mine
      let isOver = false
      const passing = exceedLimit(`${phase} ${round}`, () => isOver)
      await untilMore()
      await run()
      await untilMore()
      isOver = true
      mine.passed = Math.max(mine.passed, await passing)
    }
  }
}

/** Each note must be there once, and each subscriber must have each of them once, in order. */
async function findFaults() {
  const { rows: notes } = await database.query(`select id, key from ${schema}.notes order by id`)
  const ids = notes.map(({ id }) => id)
  const isBehind = (follower) => follower.at(-1) !== ids.at(-1)
  for (let waits = 0; waits < 600 && followers.some(isBehind); waits += 1) await pause(50)
  const { 'kill Redis': withoutRedis, ...others } = figures
  const checks = {
    'a request was lost': [withoutRedis, ...Object.values(others)].every(({ lost }) => lost === 0),
    'a write is missing, or was done twice':
      notes.length === added.size && notes.every(({ id, key }) => added.get(key) === id),
    'an event is missing, or came twice': followers.every((one) => one.join() === ids.join()),
    // While Redis is away, each instance counts by itself.
    'a caller exceeded its limit':
      Object.values(others).every(({ passed }) => passed <= limit) &&
      withoutRedis.passed <= limit * (instances.length + 1),
    // Without Redis, an instance may not know what another has changed.
    'a stale response was sent': Object.values(others).every(({ stale }) => stale === 0),
  }
  return Object.keys(checks).filter((name) => !checks[name])
}

const writers = [editAndRead()]
for (let count = 1; count <= 4; count += 1) writers.push(write())
const following = [followEvents, followEvents, followEvents, followSocket, followSocket].map(follow)
await storm()
isWriting = false
await Promise.all(writers)
const faults = await findFaults()
isFollowing = false
console.table(figures)
console.log(`${added.size} notes, ${followers.length} subscribers, ${streams} streams`)
console.log(faults.length === 0 ? 'Nothing was lost.' : faults.join('\n'))
await cluster.stop()
await Promise.all(following)
process.exit(faults.length === 0 ? 0 : 1)
