import { writeSync } from 'node:fs'
import { success } from 'graphwire'
import { openStore } from '../../../store/open-store.js'

// A process of its own: node write-until-killed.js DATABASE. Prints a line after each write.
const store = await openStore({ database: process.argv[2]! })
const acknowledge = (line: string): void => void writeSync(1, `${line}\n`)

async function write(): Promise<void> {
  const { id } = await store.people.create({ name: 'A', address: { city: 'C' } })
  acknowledge(`created ${id}`)
  const updated = await store.people.update(id, { name: 'B', address: { street: 'S' } })
  if (updated.ok) acknowledge(`updated ${id}`)
  const sent = await store.messages.send(id, 'hello')
  if (sent.ok) acknowledge(`sent ${sent.value.id}`)
  const keyed = { principal: 'key:a', key: id, fingerprint: 'f' }
  await store.keyed.once(keyed, undefined, async ({ people, messages }) => {
    const person = await people.create({ name: `keyed ${id}` })
    await messages.send(person.id, 'keyed')
    return success({ status: 201, headers: [], body: person.id })
  })
  acknowledge(`keyed ${id}`)
}

for (let count = 0; count < 1_000; count += 1) await Promise.all([write(), write(), write()])
acknowledge('done')
