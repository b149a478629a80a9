import t from 'tap'
import { runToEnd } from '../service-process.js'
import { onSharedDatabases } from '../../store/databases.js'
import { production, start } from './started.js'

interface Person {
  readonly id: string
  readonly name: string
}

await onSharedDatabases(t, 'one key at two instances is one write', async (t, _open, database) => {
  const env = { ...production, DATABASE_URL: database, RATE_LIMIT: 'off' }
  const one = await start(t, [], { env })
  const other = await start(t, [], { env })
  const made = await runToEnd(['keys', 'create', '--name', 'k', '--scope', 'write'], { env })
  const headers = { 'X-API-Key': made.out.trim() }

  for (let round = 0; round < 5; round += 1) {
    const key = { ...headers, 'Idempotency-Key': `"round ${round}"` }
    const body = { name: `round ${round}` }
    /** Sends it until it is not in use any more. */
    const insist = async (at: number): Promise<{ status: number; text: string; tries: number }> => {
      for (let tries = 1; ; tries += 1) {
        const response = await (at % 2 === 0 ? one : other).send('POST', '/person', body, key)
        const text = await response.text()
        if (response.status !== 409) return { status: response.status, text, tries }
        t.equal(response.headers.get('retry-after'), '1')
        t.match(text, '"code":"IDEMPOTENCY_KEY_IN_USE"')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => insist(at)))
    t.ok(all.every(({ status }) => status === 201))
    t.equal(new Set(all.map(({ text }) => text)).size, 1, 'all have the same response')
  }
  const people = (await (await one.ask('/people?limit=100')).json()) as readonly Person[]
  t.strictSame(
    people.map(({ name }) => name),
    Array.from({ length: 5 }, (_, round) => `round ${round}`),
  )
})
