import type {
  FieldNode,
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import type { Fragments } from 'graphwire/surface/parts'
import { choiceOf, objectOf, ofShape, remarksOf, type JsonSchema } from './json-schema.js'
import type { NamedSchemas } from './named-schemas.js'
import { shapeOfType, type TypeShape } from './type-shape.js'

/** The schema and document that selections belong to. */
export interface SelectionSource {
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  readonly named: NamedSchemas
}

/** A part of a document; what depends on a variable may be absent. */
interface Chosen<Node> {
  readonly node: Node
  readonly certain: boolean
}

/** The schema of a value with the shape, as a field selects it; one of its members may be left out. */
export function valueSchema(
  shape: TypeShape,
  field: FieldNode,
  source: SelectionSource,
  leftOut?: string,
): JsonSchema {
  const sets = setsOf([{ node: field, certain: true }])
  return ofShape(shape, (type) => ofType(type, sets, source, leftOut))
}

/** The schema of the data of an operation, whose root type is given. */
export function dataSchema(
  root: GraphQLObjectType,
  { selectionSet }: OperationDefinitionNode,
  source: SelectionSource,
): JsonSchema {
  return ofObject(root, [{ node: selectionSet, certain: true }], source, undefined)
}

function ofType(
  type: GraphQLNamedType,
  sets: readonly Chosen<SelectionSetNode>[],
  source: SelectionSource,
  leftOut?: string,
): JsonSchema {
  if (sets.length === 0) return source.named.of(type)
  return choiceOf(
    'anyOf',
    possibleTypes(type, source.schema).map((one) => ofObject(one, sets, source, leftOut)),
  )
}

/** A type with fields: that of a response, or an interface without implementations. */
type FieldsType = GraphQLObjectType | GraphQLInterfaceType

function possibleTypes(type: GraphQLNamedType, schema: GraphQLSchema): readonly FieldsType[] {
  const tag = type[Symbol.toStringTag]
  const isAbstract = tag === 'GraphQLInterfaceType' || tag === 'GraphQLUnionType'
  const types = isAbstract
    ? schema.getPossibleTypes(type as Parameters<GraphQLSchema['getPossibleTypes']>[0])
    : []
  // An interface may have no implementations yet; then only its own fields are known.
  return types.length > 0 ? types : [type as FieldsType]
}

function ofObject(
  type: FieldsType,
  sets: readonly Chosen<SelectionSetNode>[],
  source: SelectionSource,
  leftOut: string | undefined,
): JsonSchema {
  const fields = collectFields(type, sets, source)
  if (leftOut !== undefined) fields.delete(leftOut)
  const members = [...fields].map(([name, nodes]) => ({
    name,
    schema: ofField(type, nodes, source),
    required: nodes.some(({ certain }) => certain),
  }))
  return objectOf(members, type.description ? { description: type.description } : {})
}

function ofField(
  parent: FieldsType,
  nodes: readonly Chosen<FieldNode>[],
  source: SelectionSource,
): JsonSchema {
  const name = nodes[0]?.node.name.value ?? ''
  if (name === '__typename') {
    const isKnown = parent[Symbol.toStringTag] === 'GraphQLObjectType'
    return { type: 'string', ...(isKnown && { const: parent.name }) }
  }
  const field = parent.getFields()[name]
  if (field === undefined) throw new TypeError(`${parent.name} has no field ${name}.`)
  const sets = setsOf(nodes)
  const schema = ofShape(shapeOfType(field.type), (type) => ofType(type, sets, source))
  return { ...schema, ...remarksOf(field) }
}

function setsOf(nodes: readonly Chosen<FieldNode>[]): readonly Chosen<SelectionSetNode>[] {
  return nodes.flatMap(({ node, certain }) =>
    node.selectionSet === undefined ? [] : [{ node: node.selectionSet, certain }],
  )
}

/** CollectFields() of the GraphQL specification, section 6.3.2, for all values of the variables. */
function collectFields(
  type: FieldsType,
  sets: readonly Chosen<SelectionSetNode>[],
  source: SelectionSource,
): Map<string, Chosen<FieldNode>[]> {
  const fields = new Map<string, Chosen<FieldNode>[]>()
  const visit = ({ node, certain: around }: Chosen<SelectionSetNode>): void => {
    for (const selection of node.selections) {
      const included = inclusion(selection)
      if (included === 'never') continue
      const certain = around && included === 'always'
      if (selection.kind === 'Field') {
        const name = selection.alias?.value ?? selection.name.value
        fields.set(name, [...(fields.get(name) ?? []), { node: selection, certain }])
        continue
      }
      const fragment =
        selection.kind === 'InlineFragment' ? selection : source.fragments.get(selection.name.value)
      if (
        fragment !== undefined &&
        applies(fragment.typeCondition?.name.value, type, source.schema)
      ) {
        visit({ node: fragment.selectionSet, certain })
      }
    }
  }
  for (const set of sets) visit(set)
  return fields
}

function applies(condition: string | undefined, type: FieldsType, schema: GraphQLSchema): boolean {
  if (condition === undefined || condition === type.name) return true
  const narrowed = schema.getType(condition)
  return narrowed !== undefined && possibleTypes(narrowed, schema).includes(type)
}

/** Whether @skip and @include keep a selection; a variable can decide either way. */
function inclusion({ directives = [] }: SelectionNode): 'always' | 'never' | 'sometimes' {
  let found: 'always' | 'sometimes' = 'always'
  for (const { name, arguments: args } of directives) {
    if (name.value !== 'skip' && name.value !== 'include') continue
    const value = args?.[0]?.value
    if (value?.kind !== 'BooleanValue') found = 'sometimes'
    else if (value.value !== (name.value === 'include')) return 'never'
  }
  return found
}
