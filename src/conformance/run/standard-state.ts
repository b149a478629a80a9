import { isJsonObject } from '../../base/json.js'
import { jsonOf } from '../wire/content.js'
import { before, endOfGrace } from './before.js'
import { controlRequest } from './diagnose.js'
import { runSteps, type TemplateValues, type Wire } from './run-steps.js'

/** The persons of the standard schema, by id: the names that the target had before the run. */
export type StandardNames = ReadonlyMap<string, string>

const ids = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

/** Reads the names before anything is changed. Empty if the target has no such persons. */
export async function readStandardNames(wire: Wire): Promise<StandardNames> {
  const data = await query(wire, ids.map((id) => `p${id}: person(id: "${id}") { name }`).join(' '))
  return new Map(
    ids.flatMap((id) => {
      const name = data?.[`p${id}`]?.name
      return typeof name === 'string' ? [[id, name] as const] : []
    }),
  )
}

/** The values of the templates for a case: a person of its own, as far as nine suffice. */
export function standardValues(names: StandardNames, at: number): TemplateValues {
  const id = ids[at % ids.length] ?? '1'
  return { 'standard.id': id, 'standard.name': names.get(id) ?? '' }
}

/** Restores the name of a person; throws if that fails. */
export async function resetName(wire: Wire, names: StandardNames, id: string): Promise<void> {
  const name = names.get(id)
  if (name === undefined) return
  // Without variables: a target that gets them wrong must not keep the new name.
  const call = `renamePerson(id: ${JSON.stringify(id)}, name: ${JSON.stringify(name)})`
  const data = await query(wire, `reset: ${call} { name }`, 'mutation')
  if (data?.['reset']?.name === name) return
  throw new Error(`The name of person ${id} could not be restored to ${JSON.stringify(name)}.`)
}

async function query(
  wire: Wire,
  fields: string,
  type: 'query' | 'mutation' = 'query',
): Promise<{ readonly [field: string]: { readonly name?: unknown } | null } | undefined> {
  const request = { ...controlRequest, json: { query: `${type} { ${fields} }` } }
  const outcomes = await before(
    runSteps([{ request }], wire),
    type === 'mutation' ? endOfGrace(wire) : wire,
  )
  const response = outcomes?.[0]?.exchange.responses.at(-1)
  const json = response && jsonOf(response)
  return isJsonObject(json) ? (json as { data?: never }).data : undefined
}
