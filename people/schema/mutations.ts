import { failure, success, type Outcome } from 'graphwire'
import type {
  Message,
  Person,
  PersonInput,
  PersonPatch,
  WriteFault,
  Written,
} from '../store/store.js'
import {
  checkAddressPart,
  checkAge,
  checkEmail,
  checkMessageText,
  checkName,
} from './check-values.js'
import type { Context, ResolverTable } from './context.js'
import { badInput, conflict, notFound, refuseFaults, within, type ArgumentFault } from './errors.js'

interface Target {
  readonly id: string
  readonly ifVersion?: number | null
}

/** The fields of Mutation. */
export const mutations: ResolverTable = {
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
    { store }: Context,
  ): Promise<Person> {
    refuseFaults(within('input', checkPerson(input)))
    return store.people.create(input)
  },

  async updatePerson(
    _: unknown,
    { id, input, ifVersion }: Target & { input: PatchInput },
    context: Context,
  ): Promise<Person | null> {
    const patch = checkPatch(input)
    if (!patch.ok) throw badInput(within('input', patch.reason))
    const result = await context.store.people.update(id, patch.value, ifVersion ?? undefined)
    return personOf(result, id, context)
  },

  async replacePerson(
    _: unknown,
    { id, input, ifVersion }: Target & { input: PersonInput },
    context: Context,
  ): Promise<Person | null> {
    refuseFaults(within('input', checkPerson(input)))
    const result = await context.store.people.replace(id, input, ifVersion ?? undefined)
    return personOf(result, id, context)
  },

  async deletePerson(
    _: unknown,
    { id, ifVersion }: Target,
    context: Context,
  ): Promise<Person | null> {
    return personOf(await context.store.people.remove(id, ifVersion ?? undefined), id, context)
  },

  befriend: (_: unknown, pair: Pair, context) => changeFriendship('befriend', pair, context),
  unfriend: (_: unknown, pair: Pair, context) => changeFriendship('unfriend', pair, context),

  async sendMessage(
    _: unknown,
    { to, text }: { to: string; text: string },
    { store }: Context,
  ): Promise<Message> {
    refuseFaults(checkMessageText(text))
    const sent = await store.messages.send(to, text)
    if (!sent.ok) throw notFound('to', 'to must be the id of an existing person.')
    return sent.value
  },
}

function personOf(result: Written, id: string, context: Context): Person | Promise<null> {
  return result.ok ? result.value : explainFault(result.reason, id, context)
}

async function explainFault(reason: WriteFault, id: string, { loaders }: Context): Promise<null> {
  if (reason === 'absent') return null
  const person = await loaders.person(id)
  throw conflict(person?.version)
}

/** A change as the client sent it, in which the name may still be null. */
interface PatchInput extends Omit<PersonPatch, 'name'> {
  readonly name?: string | null | undefined
}

/** Checks a whole person. */
function checkPerson(input: PersonInput): readonly ArgumentFault[] {
  return [...checkName(input.name), ...checkRest(input)]
}

/** Checks the changes to a person. */
function checkPatch(input: PatchInput): Outcome<PersonPatch, readonly ArgumentFault[]> {
  const faults = [...checkNewName(input.name), ...checkRest(input)]
  return faults.length > 0 ? failure(faults) : success(input as PersonPatch)
}

function checkNewName(name: string | null | undefined): readonly ArgumentFault[] {
  if (name === null) {
    return [{ path: ['name'], message: 'name must not be null.' }]
  }
  return name === undefined ? [] : checkName(name)
}

function checkRest({ age, email, address }: PatchInput): readonly ArgumentFault[] {
  return [
    ...checkAge(age),
    ...(email == null ? [] : checkEmail(email)),
    ...Object.entries(address ?? {}).flatMap(([part, text]) =>
      text == null ? [] : checkAddressPart(part, text),
    ),
  ]
}

interface Pair {
  readonly id: string
  readonly friend: string
}

async function changeFriendship(
  change: 'befriend' | 'unfriend',
  { id, friend }: Pair,
  { store }: Context,
): Promise<Person | null> {
  if (id === friend) {
    throw badInput([{ path: ['friend'], message: 'friend must be another person.' }])
  }
  const changed = await store.people[change](id, friend)
  if (changed.ok) return changed.value
  if (changed.reason === 'absent') return null
  throw notFound('friend', 'friend must be the id of an existing person.')
}
