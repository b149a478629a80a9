import { onEachStore } from './on-each-store.js'

const taken = [
  '{ people(limit: 100) { id name age email version address { street city country } } }',
  '{ people(limit: 100) { friends(limit: 20) { name } } }',
  '{ people(limit: 100) { friends(limit: 98) { name } } }',
  '{ people(limit: 100) { name friends { name address { city country } friends(limit: 1) { name } } } }',
  '{ people { friends { friends { friends { name } } } } }',
  '{ person(id: 1) { friends(limit: 100) { friends(limit: 90) { name } } } }',
]

const refused = [
  '{ people(limit: 100) { friends(limit: 100) { id name age } } }',
  '{ people { friends { friends { friends { friends { name } } } } } }',
]

onEachStore('clients get what they need, and no lists of lists of lists', async (t, open) => {
  const { ask, statements } = await open({ seeded: true })
  for (const query of taken) t.equal((await ask(query)).errors, undefined, query)
  statements.length = 0
  for (const query of refused) {
    const { data, errors } = await ask(query)
    t.equal(data, undefined)
    t.match(errors?.[0]?.message, /cost/i, query)
  }
  t.strictSame(statements, [])
})
