import type { Person } from '../store/store.js'
import { badInput } from './bad-input.js'
import type { Context } from './context.js'
import type { FieldResolvers } from './resolver.js'
import { notFound } from './shown-error.js'

interface Pair {
  readonly id: string
  readonly friend: string
}

/** The fields of Mutation that begin and end friendships. */
export const friendshipMutations: FieldResolvers = {
  befriend: (_: unknown, pair: Pair, context) => changeFriendship('befriend', pair, context),
  unfriend: (_: unknown, pair: Pair, context) => changeFriendship('unfriend', pair, context),
}

async function changeFriendship(
  change: 'befriend' | 'unfriend',
  { id, friend }: Pair,
  { store, loaders }: Context,
): Promise<Person | null> {
  if (id === friend) {
    throw badInput([{ path: ['friend'], message: 'friend must be another person.' }])
  }
  const changed = await store.people[change](id, friend)
  loaders.forget()
  if (changed.ok) return changed.value
  if (changed.reason === 'absent') return null
  throw notFound('friend', 'friend must be the id of a person: nobody has this one.')
}
