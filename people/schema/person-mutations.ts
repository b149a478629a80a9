import type { Person, PersonInput, WriteFault, Written } from '../store/store.js'
import { badInput, refuseFaults, within } from './bad-input.js'
import { checkPatch, checkPerson, type PatchInput } from './check-person.js'
import { checkName } from './check-text.js'
import type { Context } from './context.js'
import type { FieldResolvers } from './resolver.js'
import { conflict } from './shown-error.js'

interface Target {
  readonly id: string
  readonly ifVersion?: number | null
}

/** The fields of Mutation that write persons. */
export const personMutations: FieldResolvers = {
  async renamePerson(
    _: unknown,
    { id, name }: { id: string; name: string },
    context: Context,
  ): Promise<Person | null> {
    refuseFaults(checkName(name))
    return personOf(await context.store.people.update(id, { name }), id, context)
  },

  async createPerson(
    _: unknown,
    { input }: { input: PersonInput },
    { store, loaders }: Context,
  ): Promise<Person> {
    refuseFaults(within('input', checkPerson(input)))
    const person = await store.people.create(input)
    loaders.forget()
    return person
  },

  async updatePerson(
    _: unknown,
    { id, input, ifVersion }: Target & { input: PatchInput },
    context: Context,
  ): Promise<Person | null> {
    const patch = checkPatch(input)
    if (!patch.ok) throw badInput(within('input', patch.reason))
    const written = await context.store.people.update(id, patch.value, ifVersion ?? undefined)
    return personOf(written, id, context)
  },

  async replacePerson(
    _: unknown,
    { id, input, ifVersion }: Target & { input: PersonInput },
    context: Context,
  ): Promise<Person | null> {
    refuseFaults(within('input', checkPerson(input)))
    const written = await context.store.people.replace(id, input, ifVersion ?? undefined)
    return personOf(written, id, context)
  },

  async deletePerson(
    _: unknown,
    { id, ifVersion }: Target,
    context: Context,
  ): Promise<Person | null> {
    return personOf(await context.store.people.remove(id, ifVersion ?? undefined), id, context)
  },
}

function personOf(written: Written, id: string, context: Context): Person | Promise<null> {
  context.loaders.forget()
  return written.ok ? written.value : answerFault(written.reason, id, context)
}

async function answerFault(reason: WriteFault, id: string, { loaders }: Context): Promise<null> {
  if (reason === 'absent') return null
  const person = await loaders.person(id)
  throw conflict(person?.version)
}
