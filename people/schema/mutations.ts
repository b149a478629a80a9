import type { PersonInput, PersonPatch, Written } from '../store/store.js'
import type { Context, ResolverTable } from './context.js'
import { badInput, conflict, notFound } from './errors.js'

interface Target {
  readonly id: string
  readonly ifVersion?: number | null
}

/** The fields of Mutation. Their arguments have been checked. */
export const mutations: ResolverTable = {
  async renamePerson(_: unknown, { id, name }: Target & { name: string }, context: Context) {
    return personOf(await context.store.people.update(id, { name }), id, context)
  },

  createPerson: (_: unknown, { input }: { input: PersonInput }, { store }: Context) =>
    store.people.create(input),

  async updatePerson(_: unknown, args: Target & { input: PersonPatch }, context: Context) {
    const { id, input, ifVersion } = args
    const result = await context.store.people.update(id, input, ifVersion ?? undefined)
    return personOf(result, id, context)
  },

  async replacePerson(_: unknown, args: Target & { input: PersonInput }, context: Context) {
    const { id, input, ifVersion } = args
    const result = await context.store.people.replace(id, input, ifVersion ?? undefined)
    return personOf(result, id, context)
  },

  async deletePerson(_: unknown, { id, ifVersion }: Target, context: Context) {
    return personOf(await context.store.people.remove(id, ifVersion ?? undefined), id, context)
  },

  befriend: (_: unknown, pair: Pair, context) => changeFriendship('befriend', pair, context),
  unfriend: (_: unknown, pair: Pair, context) => changeFriendship('unfriend', pair, context),

  async sendMessage(_: unknown, { to, text }: { to: string; text: string }, { store }: Context) {
    const sent = await store.messages.send(to, text)
    if (!sent.ok) throw notFound('to', 'to must be the id of an existing person.')
    return sent.value
  },
}

async function personOf(result: Written, id: string, { loaders }: Context) {
  if (result.ok) return result.value
  if (result.reason === 'absent') return null
  throw conflict((await loaders.person(id))?.version)
}

interface Pair {
  readonly id: string
  readonly friend: string
}

async function changeFriendship(
  change: 'befriend' | 'unfriend',
  { id, friend }: Pair,
  { store }: Context,
) {
  if (id === friend) {
    throw badInput([{ path: ['friend'], message: 'friend must be another person.' }])
  }
  const changed = await store.people[change](id, friend)
  if (changed.ok) return changed.value
  if (changed.reason === 'absent') return null
  throw notFound('friend', 'friend must be the id of an existing person.')
}
