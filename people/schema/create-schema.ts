import { readFileSync } from 'node:fs'
import type { GraphQLSchema } from 'graphql'
import { buildSchema, type FieldResolvers } from 'graphwire'
import { denyWrite } from '../access/principal.js'
import type { Message, Person, PersonInput, PersonPatch, Written } from '../store/store.js'
import type { Context } from './context.js'
import { badInput, conflict, denied, findFaults, notFound, toShown } from './errors.js'
import { topics } from '../feed/change-feed.js'

/** The schema guarantees the types of the object and the arguments. */
type PeopleResolver = (source: never, args: never, context: Context) => unknown

type ResolverTable = Readonly<Record<string, PeopleResolver>>

/** Each request needs a context from `createContext`. */
export function createPeopleSchema(): GraphQLSchema {
  const sdl = readFileSync(new URL('../../schema/people.graphql', import.meta.url), 'utf8')
  const checked = Object.entries(fields).map(([type, table]) => [type, withChecks(type, table)])
  const resolvers = { ...Object.fromEntries(checked), Subscription: subscriptions }
  return buildSchema(sdl, resolvers, { fileName: 'people' })
}

/**
 * Resolvers that are called with valid arguments, and with the scope if they write. An outage may be seen by clients; the
 * engine masks everything else that is thrown.
 */
function withChecks(type: string, table: ResolverTable): ResolverTable {
  const check =
    (resolver: PeopleResolver): PeopleResolver =>
    async (source, args, context) => {
      const denial = type === 'Mutation' ? denyWrite(context.request.principal) : undefined
      if (denial !== undefined) throw denied(denial)
      const faults = findFaults(args)
      if (faults.length > 0) throw badInput(faults)
      try {
        return await resolver(source, args, context)
      } catch (fault) {
        throw toShown(fault)
      }
    }
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, check(field)]))
}

/** The maximum length of a list without the argument `limit`. */
const usualLimit = 10

interface PageArguments {
  readonly limit?: number | null
  readonly after?: string | null
}

interface Target<Input = unknown> {
  readonly id: string
  readonly input: Input
  readonly ifVersion?: number | null
}

type Pair = Target & { readonly friend: string }

/** The fields that need more than the member of their name. */
const fields: { readonly [type: string]: ResolverTable } = {
  Query: {
    person: (_: unknown, { id }: Target, { loaders }) => loaders.person(id),

    async people(_: unknown, { limit, after }: PageArguments, context: Context) {
      const page = await context.store.people.page(limit ?? usualLimit, after ?? undefined)
      if (!page.ok) {
        const message = 'after must be the id of an existing person.'
        throw badInput([{ path: ['after'], message }])
      }
      context.hasMorePeople = page.value.hasMore
      return context.loaders.keep(page.value.people)
    },

    message: (_: unknown, { id }: Target, { store }) => store.messages.byId(id),
  },
  Person: {
    friends: ({ id }: Person, { limit }: PageArguments, { loaders }) =>
      loaders.friends(id, limit ?? usualLimit),
  },
  Message: {
    async to({ to }: Message, _: unknown, { loaders }: Context) {
      const person = await loaders.person(to)
      // Between the message and its receiver another request may delete the receiver.
      if (person === undefined)
        throw notFound('to', 'The recipient of the message has been deleted.')
      return person
    },
  },
  Mutation: {
    renamePerson: (_: unknown, { id, name }: Target & { name: string }, context) =>
      personOf(context.store.people.update(id, { name }), id, context),

    createPerson: (_: unknown, { input }: { input: PersonInput }, { store }) =>
      store.people.create(input),

    updatePerson: (_: unknown, { id, input, ifVersion }: Target<PersonPatch>, context) =>
      personOf(context.store.people.update(id, input, ifVersion), id, context),

    replacePerson: (_: unknown, { id, input, ifVersion }: Target<PersonInput>, context) =>
      personOf(context.store.people.replace(id, input, ifVersion), id, context),

    deletePerson: (_: unknown, { id, ifVersion }: Target, context) =>
      personOf(context.store.people.remove(id, ifVersion), id, context),

    befriend: (_: unknown, pair: Pair, context) => changeFriendship('befriend', pair, context),
    unfriend: (_: unknown, pair: Pair, context) => changeFriendship('unfriend', pair, context),

    async sendMessage(_: unknown, { to, text }: { to: string; text: string }, { store }: Context) {
      const sent = await store.messages.send(to, text)
      if (!sent.ok) throw notFound('to', 'to must be the id of an existing person.')
      return sent.value
    },
  },
}

/** The fields of Subscription. Events have the members that they select, so that no field has a resolver. */
const subscriptions: { readonly [fieldName: string]: FieldResolvers<Context> } = {
  personChanged: {
    subscribe: (_, { id }: { id?: string | null }, context) =>
      follow(context, id == null ? topics.people : topics.person(id)),
  },
  messageReceived: {
    subscribe: (_, { to }: { to: string }, context) => follow(context, topics.messagesTo(to)),
  },
}

/** Counts the stream for as long as its source is open. */
async function follow({ feed, openStreams, request }: Context, topic: string) {
  const taken = openStreams.take(request.principal)
  if (!taken.ok) throw denied(taken.reason)
  try {
    return await feed.follow(topic, request.lastEventId, taken.value)
  } catch (fault) {
    taken.value()
    throw toShown(fault)
  }
}

async function personOf(writing: Promise<Written>, id: string, { loaders }: Context) {
  const result = await writing
  if (result.ok) return result.value
  if (result.reason === 'absent') return null
  throw conflict((await loaders.person(id))?.version)
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
