import { failure, success, type Outcome } from 'graphwire'
import type { Database } from './database.js'
import { toNumber, toNumbers } from './id.js'
import { addressColumns, personColumns, toAddress, toPerson } from './person-row.js'
import type { Address, PeoplePage, Person } from './store.js'

/** One statement: it starts at the person of `after`, and so sees whether there is one. */
export async function page(
  { ask }: Database,
  limit: number,
  after: string | undefined,
): Promise<Outcome<PeoplePage, 'unknown-after'>> {
  const first = after === undefined ? 0 : toNumber(after)
  if (first === undefined) return failure('unknown-after')
  const skipped = after === undefined ? 0 : 1
  const rows = await ask((db) =>
    db
      .selectFrom('persons')
      .select(personColumns)
      .where('id', '>=', first)
      .orderBy('id')
      .limit(limit + skipped + 1)
      .execute(),
  )
  if (skipped === 1 && rows[0]?.id !== first) return failure('unknown-after')
  const people = rows.slice(skipped, limit + skipped).map(toPerson)
  return success({ people, hasMore: rows.length > limit + skipped })
}

export async function byIds(
  { ask, engine }: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Person>> {
  const numbers = toNumbers(ids)
  if (numbers.length === 0) return new Map()
  const rows = await ask((db) =>
    db
      .selectFrom('persons')
      .leftJoin('addresses', 'addresses.person_id', 'persons.id')
      .select([...personColumns, ...addressColumns])
      .where(engine.isAmong('persons.id', numbers))
      .execute(),
  )
  return new Map(rows.map((row) => [String(row.id), { ...toPerson(row), address: toAddress(row) }]))
}

export async function addressesOf(
  { ask, engine }: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Address>> {
  const numbers = toNumbers(ids)
  if (numbers.length === 0) return new Map()
  const rows = await ask((db) =>
    db
      .selectFrom('addresses')
      .select(['person_id', ...addressColumns])
      .where(engine.isAmong('addresses.person_id', numbers))
      .execute(),
  )
  return new Map(
    rows.map(({ person_id, street, city, country }) => [
      String(person_id),
      { street, city, country },
    ]),
  )
}
