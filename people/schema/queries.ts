import type { Message, Person } from '../store/store.js'
import { badInput } from './bad-input.js'
import { readLimit } from './check-number.js'
import type { Context } from './context.js'
import type { FieldResolvers } from './resolver.js'

interface Page {
  readonly limit?: number | null
  readonly after?: string | null
}

/** The fields of Query. */
export const queries: FieldResolvers = {
  person: (_: unknown, { id }: { id: string }, { loaders }): Promise<Person | undefined> =>
    loaders.person(id),

  async people(_: unknown, { limit, after }: Page, context: Context): Promise<readonly Person[]> {
    const page = await context.store.people.page(readLimit(limit), after ?? undefined)
    if (!page.ok) {
      const message = 'after must be the id of a person: nobody has this one.'
      throw badInput([{ path: ['after'], message }])
    }
    context.loaders.keep(page.value.people)
    context.hasMorePeople = page.value.hasMore
    return page.value.people
  },

  message: (_: unknown, { id }: { id: string }, { store }): Promise<Message | undefined> =>
    store.messages.byId(id),
}
