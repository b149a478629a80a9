import t from 'tap'
import { start } from './start.js'

type Started = ReturnType<typeof start>

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

// oxfmt-ignore
const races: readonly [title: string, change: (started: Started) => Promise<unknown>][] = [
  ['a mutation',  ({ ask }) => ask('mutation { rename(id: 1, name: "Stool") { id } }')],
  ['invalidate',  ({ cache }) => cache.invalidate([{ typename: 'Product', id: 1 }])],
]
for (const [title, change] of races) {
  void t.test(`after ${title}, no query gets what another one had read before`, async (t) => {
    const started = start()
    const { ask, shop } = started
    shop.pauses = 1
    const before = ask('{ later { id name } }')
    await shop.waiting(1)
    shop.names[0] = 'Stool'
    await change(started)
    const after = ask('{ later { id name } }')
    await nextTurn()
    shop.go()
    t.match((await after).body, 'Stool')
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
    await shop.waiting(1)
    shop.names[0] = 'Stool'
    await change(started)
    const after = ask('{ later { id name } }')
    await nextTurn()
    shop.go()
    t.match((await after).body, 'Stool')
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
