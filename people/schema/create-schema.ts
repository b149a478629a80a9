import type { GraphQLSchema } from 'graphql'
import { buildSchema } from 'graphwire'
import { missingScope } from '../access/requires.js'
import { StoreUnavailable, type Address, type Message, type Person } from '../store/store.js'
import { badInput } from './bad-input.js'
import { readLimit } from './check-values.js'
import type { Context, PeopleResolver, ResolverTable } from './context.js'
import { mutations } from './mutations.js'
import { sdl } from './sdl.js'
import { denied, notFound, unavailable } from './shown-error.js'

/** Each request needs a context from `createContext`. */
export function createPeopleSchema(): GraphQLSchema {
  const resolvers = {
    Query: queries,
    Mutation: mapResolvers(mutations, withWriteScope),
    Person: personFields,
    Message: messageFields,
  }
  const guarded = Object.entries(resolvers).map(
    ([type, fields]) => [type, mapResolvers(fields, tellUnavailable)] as const,
  )
  return buildSchema(sdl, Object.fromEntries(guarded), { fileName: 'people' })
}

function mapResolvers(
  fields: ResolverTable,
  wrap: (resolver: PeopleResolver) => PeopleResolver,
): ResolverTable {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, wrap(field)]))
}

function withWriteScope(resolver: PeopleResolver): PeopleResolver {
  return (source, args, context) => {
    const denial = missingScope(context.request.principal, 'write')
    if (denial !== undefined) throw denied(denial)
    return resolver(source, args, context)
  }
}

/** The engine masks everything else that is thrown. */
function tellUnavailable(resolver: PeopleResolver): PeopleResolver {
  return async (source, args, context) => {
    try {
      return await resolver(source, args, context)
    } catch (fault) {
      throw fault instanceof StoreUnavailable ? unavailable(fault.reason) : fault
    }
  }
}

interface PageArguments {
  readonly limit?: number | null
  readonly after?: string | null
}

/** The fields of Query. */
const queries: ResolverTable = {
  person: (_: unknown, { id }: { id: string }, { loaders }): Promise<Person | undefined> =>
    loaders.person(id),

  async people(
    _: unknown,
    { limit, after }: PageArguments,
    context: Context,
  ): Promise<readonly Person[]> {
    const page = await context.store.people.page(readLimit(limit), after ?? undefined)
    if (!page.ok) {
      const message = 'after must be the id of an existing person.'
      throw badInput([{ path: ['after'], message }])
    }
    context.loaders.keep(page.value.people)
    context.hasMorePeople = page.value.hasMore
    return page.value.people
  },

  message: (_: unknown, { id }: { id: string }, { store }): Promise<Message | undefined> =>
    store.messages.byId(id),
}

/** The fields of Person that have loaders. */
const personFields: ResolverTable = {
  friends(
    { id }: Person,
    { limit }: { limit?: number | null },
    { loaders }: Context,
  ): Promise<readonly Person[]> {
    return loaders.friends(id, readLimit(limit))
  },

  address: (
    { id, address }: Person,
    _: unknown,
    { loaders },
  ): Address | null | Promise<Address | undefined> =>
    address === undefined ? loaders.address(id) : address,
}

/** The fields of Message that have loaders. */
const messageFields: ResolverTable = {
  async to({ to }: Message, _: unknown, { loaders }: Context): Promise<Person> {
    const person = await loaders.person(to)
    // Between the message and its receiver another request may delete the receiver.
    if (person === undefined) throw notFound('to', 'The recipient of the message has been deleted.')
    return person
  },
}
