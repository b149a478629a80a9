import { failure, success } from 'graphwire'
import type { Database } from './database.js'
import { toNumber } from './id.js'
import { addressColumns, personColumns, toPerson } from './person-row.js'
import type { Written } from './store.js'
import { toVersion, whyNot } from './write-person.js'

/**
 * The person goes first: who wants to befriend it then waits for the end of this transaction, and
 * the friendships deleted last are all there are.
 */
export async function removePerson(
  { transact }: Database,
  id: string,
  ifVersion: number | undefined,
): Promise<Written> {
  const number = toNumber(id)
  if (number === undefined) return failure('absent')
  return transact(async (transaction) => {
    const person = await transaction
      .deleteFrom('persons')
      .where('id', '=', number)
      .$if(ifVersion !== undefined, (query) => query.where('version', '=', toVersion(ifVersion)))
      .returning(personColumns)
      .executeTakeFirst()
    if (person === undefined) return failure(await whyNot(transaction, number))
    const address = await transaction
      .deleteFrom('addresses')
      .where('person_id', '=', number)
      .returning(addressColumns)
      .executeTakeFirst()
    await transaction
      .deleteFrom('friendships')
      .where((build) =>
        build.or([build('person_id', '=', number), build('friend_id', '=', number)]),
      )
      .execute()
    return success({ ...toPerson(person), address: address ?? null })
  })
}
