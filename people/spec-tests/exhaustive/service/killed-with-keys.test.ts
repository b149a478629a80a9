import t from 'tap'
import { runToEnd } from '../service-process.js'
import { onSharedDatabases } from '../../store/databases.js'
import { production, start, type Started } from './started.js'

/** The same numbers in each run: a linear congruential generator. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const seed = 20_261_122
const kills = 10
const atOnce = 6

/** A keyed request, and the first response that arrived. */
interface Keyed {
  readonly name: string
  answer: string | undefined
}

// Most of the time is that of starting processes.
t.jobs = 2

await onSharedDatabases(
  t,
  'kill -9 leaves a write and its key, or neither',
  async (t, _open, database) => {
    const random = createRandom(seed)
    const env = { ...production, DATABASE_URL: database, RATE_LIMIT: 'off' }
    const made = await runToEnd(['keys', 'create', '--name', 'k', '--scope', 'write'], { env })
    const credential = { 'X-API-Key': made.out.trim() }
    const all: Keyed[] = []

    /** Sends the request; a connection that is cut leaves it open whether it was done. */
    const send = async (service: Started, keyed: Keyed): Promise<void> => {
      const { name } = keyed
      const query =
        'mutation Both($name: String!) { createPerson(input: { name: $name }) { id name } sendMessage(to: 1, text: $name) { id } }'
      const headers = { ...credential, 'Idempotency-Key': `"${name}"` }
      try {
        const response = await service.send(
          'POST',
          '/graphql',
          { query, variables: { name } },
          headers,
        )
        const text = await response.text()
        if (response.status !== 200) return
        keyed.answer ??= text
        t.equal(text, keyed.answer, 'a key has one response')
      } catch {
        // Killed.
      }
    }

    let starting = start(t, [], { env })
    for (let round = 0; round < kills; round += 1) {
      const service = await starting
      // Half of the processes open the database while the one before them is writing, the others after it was killed.
      if (round % 2 === 0) starting = start(t, [], { env })
      if (round === 0) await service.send('POST', '/person', { name: 'first' }, credential)
      // What the last kill has left open is sent again, among new requests.
      const open = all.filter(({ answer }) => answer === undefined)
      const fresh = Array.from({ length: 40 }, (_, at) => ({
        name: `${round}-${at}`,
        answer: undefined,
      }))
      all.push(...fresh)
      const queue: Keyed[] = [...open, ...fresh]
      let left = 1 + random(queue.length - atOnce)
      const pause = random(3)
      const work = async (): Promise<void> => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          await send(service, next)
          left -= 1
          if (left !== 0) continue
          // Others are on their way: somewhere between the socket and the commit.
          for (let turn = 0; turn < pause; turn += 1) await new Promise(setImmediate)
          service.signal('SIGKILL')
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      await service.ended
      if (round % 2 !== 0) starting = start(t, [], { env })
    }

    const service = await starting
    const open = all.filter(({ answer }) => answer === undefined)
    t.ok(open.length > 0, 'something was cut')
    for (const keyed of open) await send(service, keyed)
    t.ok(all.every(({ answer }) => answer !== undefined))

    const stored = new Map<string, string>()
    for (let after = ''; ;) {
      const path = `/people?limit=100${after}`
      const page = (await (await service.ask(path)).json()) as { id: string; name: string }[]
      for (const { id, name } of page) {
        t.notOk(stored.has(name), `${name} was created once`)
        stored.set(name, id)
      }
      const last = page.at(-1)
      if (last === undefined) break
      after = `&after=${last.id}`
    }
    t.equal(stored.size, all.length + 1)
    for (const { name, answer = '' } of all) {
      const { data } = JSON.parse(answer) as {
        data: { createPerson: { id: string; name: string } }
      }
      t.strictSame(data.createPerson, { id: stored.get(name), name })
    }
    // Each person comes with one message: their ids are different, and there are as many.
    const messages = all.map(({ answer = '' }) => /"sendMessage":\{"id":"(\d+)"/.exec(answer)?.[1])
    t.equal(new Set(messages).size, all.length)
  },
)
