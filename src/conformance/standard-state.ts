import type { TemplateValues } from './fill.js'
import { runSteps, type Wire } from './run-steps.js'

/** The persons of the standard schema, by id: the names that the target had before the run. */
export type StandardNames = ReadonlyMap<string, string>

const ids = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

/** Reads the names before anything is changed. Empty where the target has no such persons. */
export async function readStandardNames(wire: Wire): Promise<StandardNames> {
  const fields = ids.map((id) => `p${id}: person(id: "${id}") { name }`)
  const request = { headers: json, json: { query: `{ ${fields.join(' ')} }` } }
  const [outcome] = await runSteps([{ request }], wire, {})
  const body = outcome?.exchange.responses.at(-1)?.body
  const data = body === undefined ? undefined : readData(body)
  return new Map(
    ids.flatMap((id) => {
      const name = data?.[`p${id}`]?.name
      return typeof name === 'string' ? [[id, name] as const] : []
    }),
  )
}

/** The values of the templates for a case: a person of its own, as far as nine go round. */
export function standardValues(names: StandardNames, at: number): TemplateValues {
  const id = ids[at % ids.length] ?? '1'
  return { 'standard.id': id, 'standard.name': names.get(id) ?? '' }
}

/** Gives a person its old name back; throws where the target does not take it. */
export async function resetName(wire: Wire, names: StandardNames, id: string): Promise<void> {
  const name = names.get(id)
  if (name === undefined) return
  // Without variables: a target that mistakes them must not keep the new name.
  const call = `renamePerson(id: ${JSON.stringify(id)}, name: ${JSON.stringify(name)})`
  const request = { headers: json, json: { query: `mutation { reset: ${call} { name } }` } }
  const [outcome] = await runSteps([{ request }], wire, {})
  const body = outcome?.exchange.responses.at(-1)?.body
  if (body !== undefined && readData(body)?.['reset']?.name === name) return
  throw new Error(
    `The name of person ${id} could not be given back: it was ${JSON.stringify(name)}.`,
  )
}

const json = { accept: 'application/graphql-response+json, application/json;q=0.9' }

function readData(body: Uint8Array): Record<string, { name?: unknown } | null> | undefined {
  try {
    const { data } = JSON.parse(Buffer.from(body).toString('utf8')) as { data?: never }
    return data
  } catch {
    return undefined
  }
}
