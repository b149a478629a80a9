import { isJsonObject } from '../../base/json.js'
import { jsonOf } from '../wire/content.js'
import { before, endOfGrace, isOver } from './before.js'
import { controlRequest } from './diagnose.js'
import { runSteps, type Wire } from './run-steps.js'

/** The persons of the standard schema, by id: the names that the target had before the run. */
export type StandardNames = ReadonlyMap<string, string>

/** The values of the templates for a case: a person of its own, as far as nine suffice. */
export type StandardPerson = Readonly<Record<'standard.id' | 'standard.name', string>>

const ids = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

/** Reads the names before anything is changed: one by one, since a target may allow few fields or aliases. */
export async function readStandardNames(wire: Wire): Promise<StandardNames> {
  const names = new Map<string, string>()
  for (const id of ids) {
    if (isOver(wire)) break
    const name = await nameOf(wire, 'query', `person(id: "${id}")`)
    if (typeof name === 'string') names.set(id, name)
  }
  return names
}

/** Undefined if the name could not be read: then no case may change it. */
export function choosePerson(names: StandardNames, at: number): StandardPerson | undefined {
  const id = ids[at % ids.length] ?? '1'
  const name = names.get(id)
  return name === undefined ? undefined : { 'standard.id': id, 'standard.name': name }
}

/** Restores the name of a person; throws if that fails. */
export async function resetName(wire: Wire, person: StandardPerson): Promise<void> {
  const { 'standard.id': id, 'standard.name': name } = person
  // Without variables: a target that gets them wrong must not keep the new name.
  const call = `renamePerson(id: ${JSON.stringify(id)}, name: ${JSON.stringify(name)})`
  if ((await nameOf(wire, 'mutation', call)) === name) return
  throw new Error(`The name of person ${id} could not be restored to ${JSON.stringify(name)}.`)
}

/** The name of the person that a field gives; undefined unless it comes. */
async function nameOf(wire: Wire, type: 'query' | 'mutation', field: string): Promise<unknown> {
  const request = { ...controlRequest, json: { query: `${type} { named: ${field} { name } }` } }
  const outcomes = await before(
    runSteps([{ request }], wire),
    type === 'mutation' ? endOfGrace(wire) : wire,
  )
  const response = outcomes?.[0]?.exchange.responses.at(-1)
  const json = response && jsonOf(response)
  if (!isJsonObject(json)) return undefined
  return (json as { data?: { named?: { name?: unknown } | null } | null }).data?.named?.name
}
