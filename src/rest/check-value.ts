import type {
  FieldNode,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import type { ValidDocument } from '../engine/documents.js'
import { mistake } from './mistake.js'
import type { Route } from './route.js'
import type { Template } from './template.js'

/** A route beside what its value comes from. */
interface ValueSource {
  readonly route: Route<never>
  readonly schema: GraphQLSchema
  readonly document: ValidDocument
  readonly definition: OperationDefinitionNode
  readonly rootField: FieldNode
  readonly location: Template | undefined
}

/** Throws where a route takes from its value what is not selected there, or what no header can hold. */
export function checkValue(source: ValueSource): void {
  const { route, schema, definition, rootField, location } = source
  const { version, status = 200 } = route
  if (status !== 200 && status !== 201) throw mistake(route, 'the status must be 200 or 201')
  const rootType = schema.getRootType(definition.operation)
  const type = rootType?.getFields()[rootField.name.value]?.type
  if (isList(type) && (version ?? location) !== undefined) {
    throw mistake(route, 'a list has neither a version nor a location')
  }
  if (version !== undefined) checkMember(source, 'version', version, type)
  for (const name of location?.names ?? []) checkMember(source, 'location', name, type)
}

function isList(type: GraphQLOutputType | undefined): boolean {
  return String(type).startsWith('[')
}

function checkMember(
  source: ValueSource,
  option: string,
  name: string,
  type: GraphQLOutputType | undefined,
): void {
  const { route, schema, rootField } = source
  const selected =
    rootField.selectionSet && find(rootField.selectionSet, name, nameOf(type), source)
  if (selected === undefined) {
    throw mistake(route, `its ${option} names "${name}", which the operation does not select`)
  }
  const { node, parent } = selected
  const around = schema.getType(parent)
  const fields = around !== undefined && 'getFields' in around ? around.getFields() : {}
  const field = fields[node.name.value]
  if (node.selectionSet !== undefined || isList(field?.type as GraphQLOutputType | undefined)) {
    throw mistake(route, `its ${option} names "${name}", which is no single value`)
  }
}

function nameOf(type: GraphQLOutputType | undefined): string {
  return String(type).replace('!', '')
}

interface Selected {
  readonly node: FieldNode
  /** The name of the type that has the field. */
  readonly parent: string
}

/** Fragments of a valid document have no cycles. */
function find(
  { selections }: SelectionSetNode,
  name: string,
  parent: string,
  source: ValueSource,
): Selected | undefined {
  for (const selection of selections) {
    if (selection.kind === 'Field') {
      if ((selection.alias ?? selection.name).value === name) return { node: selection, parent }
      continue
    }
    const fragment =
      selection.kind === 'InlineFragment'
        ? selection
        : source.document.fragments.get(selection.name.value)
    const inner = fragment?.typeCondition?.name.value ?? parent
    const found = fragment && find(fragment.selectionSet, name, inner, source)
    if (found !== undefined) return found
  }
  return undefined
}
