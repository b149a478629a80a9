import type { Address, Person } from '../store/store.js'
import { readLimit } from './check-number.js'
import type { Context } from './context.js'
import type { FieldResolvers } from './resolver.js'

/** The fields of Person that are loaded by themselves. */
export const personFields: FieldResolvers = {
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
