import { failure, success, type Outcome } from 'graphwire'
import type { Database } from './database.js'
import { toNumber } from './id.js'
import { personColumns, toAddress, toPerson } from './person-row.js'
import type { Address, Person, WriteFault } from './store.js'
import { toVersion, whyNot } from './write-person.js'

/**
 * The person goes first: who wants to befriend it then waits for the end of this transaction, and
 * the friendships deleted last are all there are.
 */
export async function removePerson(
  { transact }: Database,
  id: string,
  ifVersion: number | undefined,
): Promise<Outcome<{ readonly person: Person; readonly address: Address | null }, WriteFault>> {
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
      .returning(['street', 'city', 'country'])
      .executeTakeFirst()
    await transaction
      .deleteFrom('friendships')
      .where((build) =>
        build.or([build('person_id', '=', number), build('friend_id', '=', number)]),
      )
      .execute()
    return success({ person: toPerson(person), address: address ? toAddress(address) : null })
  })
}
