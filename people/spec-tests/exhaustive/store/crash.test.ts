import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { failure } from 'graphwire'
import t from 'tap'
import { namesIn, onSharedDatabases } from '../../store/databases.js'

const script = fileURLToPath(new URL('./write-until-killed.js', import.meta.url))

/** What was acknowledged before the process was killed, in the middle of its 12,000 writes. */
async function killAfter(lines: number, database: string): Promise<string[]> {
  const child = spawn(process.execPath, [script, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: string[] = []
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line)
    if (acknowledged.length === lines) child.kill('SIGKILL')
  }
  const [, signal] = await exited
  if (signal !== 'SIGKILL') throw new Error('It was done before it was killed')
  return acknowledged
}

await onSharedDatabases(t, 'kill -9 loses no acknowledged write', async (t, open, database) => {
  for (const lines of [1, 100, 1_000]) {
    const acknowledged = await killAfter(lines, database)
    t.ok(acknowledged.length >= lines)
    t.notOk(acknowledged.includes('done'))
    const ids = (word: string) =>
      acknowledged.filter((line) => line.startsWith(word)).map((line) => line.split(' ')[1]!)
    const store = await open()
    const people = await store.people.byIds(ids('created'))
    t.equal(people.size, ids('created').length)
    t.ok(ids('updated').every((id) => people.get(id)?.version === 2))
    for (const id of ids('sent')) t.match(await store.messages.byId(id), { text: 'hello' })
    for (const person of people.values()) {
      t.ok(person.address, 'a person was written with the address or not at all')
      t.equal(person.version === 2, person.address?.street === 'S', 'an update is whole')
    }
    const names = await namesIn(store)
    for (const id of people.keys()) {
      const name = `keyed ${id}`
      const count = names.filter((one) => one === name).length
      if (ids('keyed').includes(id)) t.equal(count, 1, name)
      const again = { principal: 'key:a', key: id, fingerprint: 'f' }
      const outcome = await store.keyed.once(again, undefined, async () => failure('new'))
      t.equal(outcome.kind, count === 1 ? 'kept' : 'undone', 'a write and its key, or neither')
    }
    await store.close()
  }
})
