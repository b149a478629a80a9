import type {
  FieldNode,
  GraphQLNamedOutputType,
  GraphQLObjectType,
  GraphQLOutputType,
} from 'graphql'
import { isNonNull, nullableOf, type ListType } from '../graphql/execute/output-types.js'
import { collectFields } from './collect-fields.js'
import { compileArguments } from './arguments.js'
import type { OperationPlan } from './operation-plan.js'
import type { FieldDefinition, FieldPlan, Selection, ValueKind, ValuePlan } from './plan.js'
import { readerFor } from './property-readers.js'
import type { Run } from './run.js'

/** Memory of a plan for each field: 0.8 KB were measured. */
const bytesPerField = 1024

/**
 * Compiles the fields of a type at a position, when the first object of the type comes there: selections that no response
 * contains cost nothing. Without a position, those of the root type. Throws what graphql-js throws for them.
 */
export function compileSelection(
  { plan, variables: { variableValues } }: Run,
  parent: ValuePlan | undefined,
  type: GraphQLObjectType,
): Selection {
  const around = parent === undefined ? [plan.definition] : parent.field.nodes
  const sets = around.map(({ selectionSet }) => selectionSet)
  const fields: FieldPlan[] = []
  for (const collected of collectFields(plan, variableValues, type, sets)) {
    const field = compileField(plan, parent, type, collected)
    if (field !== undefined) fields.push(field)
  }
  plan.memory.bytes += fields.length * bytesPerField
  plan.memory.grown()
  return { type, fields }
}

function compileField(
  plan: OperationPlan,
  parent: ValuePlan | undefined,
  parentType: GraphQLObjectType,
  [key, nodes]: readonly [string, readonly FieldNode[]],
): FieldPlan | undefined {
  const [node] = nodes as readonly [FieldNode]
  const definition = definitionOf(plan, parentType, node.name.value)
  if (definition === undefined) return undefined
  const isTypename = definition === plan.graphql.TypeNameMetaFieldDef
  const text = isTypename ? `,"${key}":"${parentType.name}"` : `,"${key}":`
  const field: FieldPlan = {
    kind: isTypename ? 'typename' : plan.scalars.kindOf(nullableOf(definition.type)),
    key,
    words: toWords(text),
    keyLength: text.length,
    definition,
    resolver: undefined,
    original: undefined,
    read: readerOf(plan, definition),
    args: compileArguments(plan, definition, node),
    parentType,
    nodes,
    value: undefined as unknown as ValuePlan,
  }
  field.value = compileValue(plan, field, parent, definition.type, false)
  return field
}

function compileValue(
  plan: OperationPlan,
  field: FieldPlan,
  parent: ValuePlan | undefined,
  type: GraphQLOutputType,
  isItem: boolean,
): ValuePlan {
  const nonNull = isNonNull(type)
  const nullable = nullableOf(type)
  const kind: ValueKind = plan.scalars.kindOf(nullable)
  const isList = kind === 'list'
  const value = {
    field,
    parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    isItem,
    kind,
    nonNull,
    climbs: nonNull && plan.propagates,
    type: isList ? undefined : (nullable as GraphQLNamedOutputType),
    item: undefined as ValuePlan | undefined,
    selection: undefined,
    selections: kind === 'abstract' ? new Map<string, Selection>() : noSelections,
  }
  if (isList) value.item = compileValue(plan, field, value, (nullable as ListType).ofType, true)
  return value
}

/** Shared by the positions that are not abstract. */
const noSelections = new Map<string, Selection>()

function definitionOf(
  { graphql, schema }: OperationPlan,
  type: GraphQLObjectType,
  name: string,
): FieldDefinition | undefined {
  if (name === '__typename') return graphql.TypeNameMetaFieldDef
  if (schema.getQueryType() === type) {
    if (name === '__schema') return graphql.SchemaMetaFieldDef
    if (name === '__type') return graphql.TypeMetaFieldDef
  }
  return type.getFields()[name]
}

function readerOf({ readsOwn }: OperationPlan, definition: FieldDefinition): FieldPlan['read'] {
  const { name } = definition
  if (!readsOwn || !(name in Object.prototype)) return readerFor(definition, name)
  const { [name]: inherited } = Object.prototype as unknown as { readonly [name: string]: unknown }
  return (source) => (source[name] === inherited ? undefined : source[name])
}

/** Little-endian words, the last one padded. */
function toWords(text: string): Int32Array {
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 4)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  const view = new DataView(bytes.buffer)
  return Int32Array.from({ length: bytes.length / 4 }, (_, word) => view.getInt32(word * 4, true))
}
