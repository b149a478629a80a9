import type { IncomingMessage } from 'node:http'
import DataLoader from 'dataloader'
import type { OperationRequest } from 'graphwire'
import type { Principal } from '../access/principal.js'
import type { Address, PeopleStore, Person, Store } from '../store/store.js'

/** What the resolvers of one request share. */
export interface Context {
  readonly request: OperationRequest<IncomingMessage, Principal>
  readonly store: Store
  readonly loaders: Loaders
  /** Set by `people`: whether there is a next page, for the `Link` of the resource. */
  hasMorePeople: boolean
}

export function createContext(request: Context['request'], store: Store): Context {
  return { request, store, loaders: createLoaders(store.people), hasMorePeople: false }
}

/** A resolver. The schema guarantees the types of the object and the arguments. */
export type PeopleResolver = (source: never, args: never, context: Context) => unknown

/** Resolvers by field. */
export interface ResolverTable {
  readonly [fieldName: string]: PeopleResolver
}

/** Loaders that batch the statements of many fields; one set for each request. */
export interface Loaders {
  person(id: string): Promise<Person | undefined>
  friends(id: string, limit: number): Promise<readonly Person[]>
  address(id: string): Promise<Address | undefined>
  /** Caches people that were just read. */
  keep(people: readonly Person[]): void
  /** After a write: forgets everything that was loaded before. */
  forget(): void
}

export function createLoaders(store: PeopleStore): Loaders {
  let memory = createMemory(store)
  return {
    person: (id) => memory.persons.load(id),
    friends: (id, limit) => memory.friends(id, limit),
    address: (id) => memory.addresses.load(id),
    keep: (people) => memory.keep(people),
    // A batch in progress still fills the cache for which it was started.
    forget: () => {
      memory = createMemory(store)
    },
  }
}

interface Memory extends Pick<Loaders, 'friends' | 'keep'> {
  readonly persons: DataLoader<string, Person | undefined>
  readonly addresses: DataLoader<string, Address | undefined>
}

/** What was loaded since the last write. */
function createMemory(store: PeopleStore): Memory {
  const persons = batched((ids) => store.byIds(ids))
  const addresses = batched((ids) => store.addressesOf(ids))
  const friends = new Map<number, DataLoader<string, readonly Person[] | undefined>>()

  const keep = (people: readonly Person[]): void => {
    for (const person of people) persons.prime(person.id, person)
  }
  const friendsWithin = (limit: number): DataLoader<string, readonly Person[] | undefined> => {
    const loader = friends.get(limit) ?? batched((ids) => store.friendsOf(ids, limit))
    friends.set(limit, loader)
    return loader
  }
  return {
    persons,
    addresses,
    async friends(id, limit) {
      const people = (await friendsWithin(limit).load(id)) ?? []
      keep(people)
      return people
    },
    keep,
  }
}

function batched<Value>(
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): DataLoader<string, Value | undefined> {
  return new DataLoader(async (ids: readonly string[]) => {
    const found = await load(ids)
    return ids.map((id) => found.get(id))
  })
}
