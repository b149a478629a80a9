import type { GraphQLSchema } from 'graphql'
import { buildSchema } from 'graphwire'
import { missingScope } from '../access/requires.js'
import { StoreUnavailable } from '../store/store.js'
import { friendshipMutations } from './friendships.js'
import { messageFields, messageMutations } from './messages.js'
import { personFields } from './person-fields.js'
import { personMutations } from './person-mutations.js'
import { queries } from './queries.js'
import type { FieldResolvers, Resolver } from './resolver.js'
import { sdl } from './sdl.js'
import { denied, unavailable } from './shown-error.js'

/** Makes the schema of the service; each request brings a context of `createContext`. */
export function createPeopleSchema(): GraphQLSchema {
  const mutations = { ...personMutations, ...friendshipMutations, ...messageMutations }
  const resolvers = {
    Query: queries,
    Mutation: mapResolvers(mutations, withWriteScope),
    Person: personFields,
    Message: messageFields,
  }
  const guarded = Object.entries(resolvers).map(
    ([type, fields]) => [type, mapResolvers(fields, tellUnavailable)] as const,
  )
  return buildSchema(sdl, Object.fromEntries(guarded), 'people')
}

function mapResolvers(
  fields: FieldResolvers,
  wrap: (resolver: Resolver) => Resolver,
): FieldResolvers {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, wrap(field)]))
}

function withWriteScope(resolver: Resolver): Resolver {
  return (source, args, context) => {
    const denial = missingScope(context.request.principal, 'write')
    if (denial !== undefined) throw denied(denial)
    return resolver(source, args, context)
  }
}

/** What else is thrown is masked by the engine. */
function tellUnavailable(resolver: Resolver): Resolver {
  return async (source, args, context) => {
    try {
      return await resolver(source, args, context)
    } catch (fault) {
      throw fault instanceof StoreUnavailable ? unavailable() : fault
    }
  }
}
