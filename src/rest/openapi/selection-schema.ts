import type {
  FieldNode,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  SelectionNode,
  SelectionSetNode,
} from 'graphql'
import type { Fragments } from '../../engine/fragments.js'
import { choiceOf, objectOf, ofShape, remarksOf, type JsonSchema } from './json-schema.js'
import type { NamedSchemas } from './named-schemas.js'
import type { DescribedPlan } from './describe-plan.js'
import { shapeOfType } from './type-shape.js'

/** What the schema of a selection is made from. */
interface SelectionSource {
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  readonly named: NamedSchemas
}

/** Part of a document; what a variable may leave out is not certain. */
interface Chosen<Node> {
  readonly node: Node
  readonly certain: boolean
}

/** The schema of a route's answer: the value of the root field, less the field that is its version. */
export function rootValueSchema(plan: DescribedPlan, named: NamedSchemas): JsonSchema {
  const { schema, document, rootField, field, route } = plan
  // A null is no answer but a 404.
  const shape = { ...shapeOfType(field.type), nullable: false }
  const sets = setsOf([{ node: rootField, certain: true }])
  const source = { schema, fragments: document.fragments, named }
  return ofShape(shape, (type) => ofType(type, sets, source, route.version))
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

function possibleTypes(
  type: GraphQLNamedType,
  schema: GraphQLSchema,
): readonly GraphQLObjectType[] {
  const tag = type[Symbol.toStringTag]
  const isAbstract = tag === 'GraphQLInterfaceType' || tag === 'GraphQLUnionType'
  return isAbstract
    ? schema.getPossibleTypes(type as Parameters<GraphQLSchema['getPossibleTypes']>[0])
    : [type as GraphQLObjectType]
}

function ofObject(
  type: GraphQLObjectType,
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
  parent: GraphQLObjectType,
  nodes: readonly Chosen<FieldNode>[],
  source: SelectionSource,
): JsonSchema {
  const name = nodes[0]?.node.name.value ?? ''
  if (name === '__typename') return { type: 'string', const: parent.name }
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

/** CollectFields() of the GraphQL specification, section 6.3.2, for every value of the variables. */
function collectFields(
  type: GraphQLObjectType,
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

function applies(
  condition: string | undefined,
  type: GraphQLObjectType,
  schema: GraphQLSchema,
): boolean {
  if (condition === undefined || condition === type.name) return true
  const wanted = schema.getType(condition)
  return wanted !== undefined && possibleTypes(wanted, schema).includes(type)
}

/** What @skip and @include make of a selection; a variable may say either. */
function inclusion({ directives = [] }: SelectionNode): 'always' | 'never' | 'sometimes' {
  let found: 'always' | 'sometimes' = 'always'
  for (const { name, arguments: given } of directives) {
    if (name.value !== 'skip' && name.value !== 'include') continue
    const value = given?.[0]?.value
    if (value?.kind !== 'BooleanValue') found = 'sometimes'
    else if (value.value !== (name.value === 'include')) return 'never'
  }
  return found
}
