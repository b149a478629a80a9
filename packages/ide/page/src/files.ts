import { parse, type DefinitionNode, type TypeNode } from 'graphql'

/** A file, and the path of the variable that stands for it. */
export interface PlacedFile {
  readonly path: string
  readonly file: File
}

interface Placed {
  readonly variables: unknown
  readonly files: readonly PlacedFile[]
}

/** Takes files out of variables, where `"@name"` stands for the chosen file of that name. */
export function placeFiles(variables: unknown, chosen: readonly File[]): Placed {
  const files: PlacedFile[] = []
  const place = (value: unknown, path: string): unknown => {
    const file = chosen.find(({ name }) => value === `@${name}`)
    if (file !== undefined) {
      files.push({ path, file })
      return null
    }
    if (Array.isArray(value)) return value.map((item, at) => place(item, `${path}.${at}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, place(item, `${path}.${name}`)]),
    )
  }
  return { variables: place(variables, 'variables'), files }
}

/** The GraphQL multipart request specification. */
export function toForm(operations: string, files: readonly PlacedFile[]): FormData {
  const form = new FormData()
  form.append('operations', operations)
  form.append('map', JSON.stringify(Object.fromEntries(files.map(({ path }, at) => [at, [path]]))))
  for (const [at, { file }] of files.entries()) form.append(String(at), file)
  return form
}

export const uploadTypes: readonly string[] = ['Upload', 'File']

/** Variables in which those that are files, and have no value yet, stand for the chosen ones. */
export function nameFiles(
  variables: { readonly [name: string]: unknown },
  query: string,
  chosen: readonly File[],
): { readonly [name: string]: unknown } {
  const named = { ...variables }
  const left = chosen.map(({ name }) => `@${name}`)
  for (const definition of definitionsOf(query)) {
    if (definition.kind !== 'OperationDefinition') continue
    for (const { variable, type } of definition.variableDefinitions ?? []) {
      const { name, isList } = readType(type)
      if (!uploadTypes.includes(name) || named[variable.name.value] != null) continue
      named[variable.name.value] = isList ? left.splice(0) : (left.shift() ?? null)
    }
  }
  return named
}

/** None while the document cannot be parsed. */
function definitionsOf(query: string): readonly DefinitionNode[] {
  try {
    return parse(query).definitions
  } catch {
    return []
  }
}

function readType(type: TypeNode): { readonly name: string; readonly isList: boolean } {
  if (type.kind === 'NamedType') return { name: type.name.value, isList: false }
  const inner = readType(type.type)
  return type.kind === 'ListType' ? { ...inner, isList: true } : inner
}
