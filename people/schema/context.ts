import DataLoader from 'dataloader'
import type { OperationRequest } from 'graphwire'
import type { OpenStreams } from '../access/limits.js'
import type { Principal } from '../access/principal.js'
import type { ChangeFeed } from '../feed/change-feed.js'
import type { PeopleStore } from '../store/people-store.js'
import type { Person } from '../store/store.js'
import type { RequestStores } from '../store/keyed-store.js'

export interface ContextParts {
  readonly store: RequestStores
  readonly feed: ChangeFeed
  readonly openStreams: Pick<OpenStreams, 'take'>
}

export interface Context extends ContextParts {
  readonly request: OperationRequest<unknown, Principal>
  readonly loaders: ReturnType<typeof createLoaders>
  /** Set by `people`: whether there is a next page, for the `Link` of the resource. */
  hasMorePeople: boolean
}

export function createContext(request: Context['request'], parts: ContextParts): Context {
  const loaders = createLoaders(parts.store.people, request.operation.operation === 'query')
  return { ...parts, request, loaders, hasMorePeople: false }
}

/**
 * Loaders that batch the statements of many fields; one set for each request. Without `isCached`, they only batch, since
 * data may change between the reads of a mutation or a subscription.
 */
export function createLoaders(store: PeopleStore, isCached: boolean) {
  const batched = <Value>(
    load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ) => {
    const loadAll = async (ids: readonly string[]) => {
      const found = await load(ids)
      return ids.map((id) => found.get(id))
    }
    return new DataLoader(loadAll, { cache: isCached })
  }
  const persons = batched((ids) => store.byIds(ids))
  const friends = new Map<number, DataLoader<string, readonly Person[] | undefined>>()

  const keep = (people: readonly Person[]): readonly Person[] => {
    for (const person of people) persons.prime(person.id, person)
    return people
  }
  return {
    person: (id: string) => persons.load(id),
    async friends(id: string, limit: number) {
      const loader = friends.get(limit) ?? batched((ids) => store.friendsOf(ids, limit))
      friends.set(limit, loader)
      return keep((await loader.load(id)) ?? [])
    },
    keep,
  }
}
