import t from 'tap'
import { createKeyFinder, hashApiKey, makeApiKey } from '../../access/api-keys.js'
import type { KeyRecord } from '../../store/credential-stores.js'

const createdAt = '2026-08-01T12:00:00.000Z'
const record: KeyRecord = { name: 'ci', scopes: ['read'], limit: null, createdAt, revokedAt: null }

/** A finder over a map with one key, with the questions that reached it and a clock. */
function finder() {
  const key = makeApiKey()
  const records = new Map([[hashApiKey(key), record]])
  const asked: string[] = []
  const clock = { time: Date.parse(createdAt) }
  const find = async (hash: string): Promise<KeyRecord | undefined> => {
    asked.push(hash)
    return records.get(hash)
  }
  const findKey = createKeyFinder({ find }, () => new Date(clock.time))
  return { key, records, asked, clock, findKey }
}

t.test('only what can be a key is looked up', async (t) => {
  const { key, findKey, asked } = finder()
  for (const text of ['', 'gw_', key.slice(1), `${key}=`, 'x'.repeat(46)]) {
    t.equal(await findKey(text), undefined)
  }
  t.same(asked, [])
})

t.test('a key is looked up once in two seconds, by its digest', async (t) => {
  const { key, findKey, asked, clock } = finder()
  t.same(await Promise.all([findKey(key), findKey(key)]), [record, record])
  clock.time += 1_999
  t.equal(await findKey(key), record)
  t.same(asked, [hashApiKey(key)])
  clock.time += 1
  await findKey(key)
  t.equal(asked.length, 2)
})

t.test('a clock that is set back does not keep a key alive', async (t) => {
  const { key, records, findKey, clock } = finder()
  await findKey(key)
  records.clear()
  clock.time -= 3_600_000
  t.equal(await findKey(key), undefined)
})

t.test('of more than 10,000 guesses the first are forgotten', async (t) => {
  const { key, findKey, asked } = finder()
  await findKey(key)
  for (let count = 0; count < 10_000; count += 1) await findKey(makeApiKey())
  asked.length = 0
  await findKey(key)
  t.same(asked, [hashApiKey(key)])
})

t.test('a failure is not kept', async (t) => {
  let fails = true
  const find = async (): Promise<KeyRecord> => {
    if (fails) throw new Error('away')
    return record
  }
  const findKey = createKeyFinder({ find }, () => new Date(0))
  const key = makeApiKey()
  await t.rejects(findKey(key), /away/)
  fails = false
  t.equal(await findKey(key), record)
})
