import { defineExtension, createHandler, type HttpResponse } from 'graphwire'
import { testClient, type TestResponse } from 'graphwire/testing'
import t from 'tap'
import { start } from './start.js'

type Started = ReturnType<typeof start>

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

// oxfmt-ignore
const races: readonly [title: string, change: (started: Started) => Promise<unknown>][] = [
  ['a mutation',  ({ ask }) => ask('mutation { rename(id: 1, name: "Stool") { id } }')],
  ['invalidate',  ({ cache }) => cache.invalidate([{ typename: 'Product', id: 1 }])],
]
/** The response to a query that comes after a change, while one that began before it still runs. */
async function askAfter(change: (started: Started) => unknown, started: Started) {
  const { ask, shop } = started
  await shop.waiting(1)
  shop.names[0] = 'Stool'
  await change(started)
  const after = ask('{ later { id name } }')
  await nextTurn()
  shop.go()
  return after
}

for (const [title, change] of races) {
  void t.test(`after ${title}, no query gets what another one had read before`, async (t) => {
    const started = start()
    const { ask, shop } = started
    shop.pauses = 1
    const before = ask('{ later { id name } }')
    t.match((await askAfter(change, started)).body, 'Stool')
    t.match((await before).body, 'Chair')
    t.match((await ask('{ later { id name } }')).body, 'Stool')
  })

  void t.test(`after ${title}, nor what is read to renew a response`, async (t) => {
    const started = start({ staleWhileRevalidate: 60 })
    const { ask, shop } = started
    const { now } = Date
    let later = 0
    Date.now = () => now() + later
    t.teardown(() => (Date.now = now))
    await ask('{ later { id name } }')
    later = 61_000
    shop.pauses = 1
    await ask('{ later { id name } }')
    t.match((await askAfter(change, started)).body, 'Stool')
    t.match((await ask('{ later { id name } }')).body, 'Stool')
  })
}

void t.test('a mutation that is under way counts when it is done', async (t) => {
  const { ask, shop } = start()
  await ask('{ products { id name } }')
  const change = ask('mutation { renameLater(id: 1, name: "Stool") { id } }')
  await shop.waiting(1)
  t.match((await ask('{ products { id name } }')).body, 'Chair')
  shop.go()
  await change
  t.match((await ask('{ products { id name } }')).body, 'Stool')
})

const mutation = { json: { query: 'mutation { renameLater(id: 1, name: "Stool") { id } }' } }

/** Fails, or changes the body, behind what has been executed. */
const behind = (change: (response: HttpResponse) => HttpResponse) =>
  defineExtension({
    name: 'behind',
    around: async (_, proceed) => change(await proceed()),
  })

const failing = behind(() => {
  throw new Error('lost')
})

// oxfmt-ignore
const lost: readonly [title: string, change: (started: Started) => Promise<TestResponse>, status: number][] = [
  ['its client has left',     leave,                                                               499],
  ['its time is up',          ({ options }) => runAlone({ ...options, executionTimeout: 20 }),     503],
  ['what is around it fails', (started) => runBehind(started, failing),                            500],
  ['its body is empty',       (started) => runBehind(started, behind((one) => ({ ...one, body: '' }))),     200],
  ['its body is not JSON',    (started) => runBehind(started, behind((one) => ({ ...one, body: 'Done.' }))), 200],
  ['its body is not a result',(started) => runBehind(started, behind((one) => ({ ...one, body: '[]' }))),   200],
]
for (const [title, change, status] of lost) {
  void t.test(`a mutation invalidates all of its types if ${title}`, async (t) => {
    const started = start()
    const { ask, shop } = started
    await ask('{ products { id name } }')
    const user = await ask('{ me { id name } }')
    const changed = change(started)
    await shop.waiting(1)
    if (status === 200 || status === 500) shop.go()
    t.equal((await changed).status, status)
    shop.go()
    await nextTurn()
    t.match((await ask('{ products { id name } }')).body, 'Stool')
    t.equal((await ask('{ me { id name } }')).body, user.body)
    t.ok((await ask('{ me { id name } }')).headers.has('age'), 'another type')
  })
}

function runAlone(options: Started['options']): Promise<TestResponse> {
  return testClient(createHandler(options))(mutation)
}

function runBehind(
  { cache, options }: Started,
  extension: ReturnType<typeof behind>,
): Promise<TestResponse> {
  return runAlone({ ...options, use: [cache.extension, extension] })
}

function leave({ send, shop }: Started): Promise<TestResponse> {
  const client = new AbortController()
  void shop.waiting(1).then(() => client.abort())
  return send({ ...mutation, signal: client.signal })
}
