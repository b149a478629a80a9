import type {
  FieldNode,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
  Token,
} from 'graphql'
import { nameInWords } from 'graphwire/base'
import {
  defaultOfVariable,
  objectOf,
  ofShape,
  remarksOf,
  type JsonSchema,
  NamedSchemas,
  type ScalarSchemas,
  dataSchema,
  type SelectionSource,
  namedTypeOf,
  shapeOfNode,
} from '@graphwire/json-schema'
import type { PlannedTool } from './plan-tool.js'

/** A tool as `tools/list` describes it. */
interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: boolean }
}

/** The arguments of a tool are the variables of its operation, and its result is the data. */
export function describeTool(
  { name, source, document, definition }: PlannedTool,
  schema: GraphQLSchema,
  scalars: ScalarSchemas,
): ToolDescription {
  const { fragments } = document
  // A valid operation has a root type.
  const root = schema.getRootType(definition.operation) as GraphQLObjectType
  const description = source.description ?? describeOperation(definition, root)
  return {
    name,
    title: source.title ?? nameInWords(name),
    ...(description && { description }),
    inputSchema: withDefinitions(scalars, (named) =>
      inputSchema(definition, root, { schema, fragments, named }),
    ),
    outputSchema: withDefinitions(scalars, (named) =>
      dataSchema(root, definition, { schema, fragments, named }),
    ),
    annotations:
      definition.operation === 'query'
        ? { readOnlyHint: true }
        : { readOnlyHint: false, destructiveHint: source.destructive ?? true },
  }
}

/** Each schema of a tool stands alone, so the types that it refers to are in it. */
function withDefinitions(
  scalars: ScalarSchemas,
  describe: (named: NamedSchemas) => JsonSchema,
): JsonSchema {
  const named = new NamedSchemas(scalars, '#/$defs/')
  const schema = describe(named)
  const definitions = named.all()
  return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions }
}

function inputSchema(
  definition: OperationDefinitionNode,
  root: GraphQLObjectType,
  source: SelectionSource,
): JsonSchema {
  const remarks = remarksOfVariables(definition, root, source)
  const members = (definition.variableDefinitions ?? []).map((node) => {
    const name = node.variable.name.value
    const shape = shapeOfNode(node.type, source.schema)
    const isRequired = !shape.nullable && node.defaultValue === undefined
    const schema = {
      ...ofShape(shape, source.named.of),
      ...remarks.get(name),
      ...defaultOfVariable(node, shape),
    }
    return { name, schema, required: isRequired }
  })
  return objectOf(members, { additionalProperties: false })
}

function describeOperation(
  definition: OperationDefinitionNode,
  root: GraphQLObjectType,
): string | undefined {
  const [first] = definition.selectionSet.selections
  const field = first?.kind === 'Field' ? root.getFields()[first.name.value] : undefined
  return (
    definition.description?.value ?? commentAbove(definition) ?? field?.description ?? undefined
  )
}

/** The comment that ends in the line above an operation, without its `#`; undefined if there is none. */
function commentAbove({ loc }: OperationDefinitionNode): string | undefined {
  const lines: string[] = []
  let below: Token | undefined = loc?.startToken
  for (;;) {
    const token: Token | null | undefined = below?.prev
    if (token?.kind !== 'Comment' || token.line + 1 !== below?.line) break
    lines.unshift(token.value.replace(/^ /, '').trimEnd())
    below = token
  }
  const text = lines
    .filter((line) => !line.startsWith('import '))
    .join('\n')
    .trim()
  return text === '' ? undefined : text
}

/** The description of each variable: its own, or else that of the first argument that gets it. */
function remarksOfVariables(
  definition: OperationDefinitionNode,
  root: GraphQLObjectType,
  { schema, fragments }: Omit<SelectionSource, 'named'>,
): ReadonlyMap<string, JsonSchema> {
  const remarks = new Map<string, JsonSchema>()
  for (const { variable, description } of definition.variableDefinitions ?? []) {
    if (description !== undefined)
      remarks.set(variable.name.value, remarksOf({ description: description.value }))
  }
  const visited = new Set<string>()
  visit(definition.selectionSet, root)
  return remarks

  function visit({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): void {
    for (const selection of selections) {
      if (selection.kind === 'Field') visitField(selection, type)
      else if (selection.kind === 'InlineFragment') {
        const condition = selection.typeCondition?.name.value
        visit(selection.selectionSet, condition === undefined ? type : schema.getType(condition))
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment)
          visit(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value))
      }
    }
  }

  function visitField(node: FieldNode, type: GraphQLNamedType | undefined): void {
    const fields = type !== undefined && 'getFields' in type ? type.getFields() : {}
    const field = fields[node.name.value]
    if (field === undefined) return
    for (const { name, value } of node.arguments ?? []) {
      if (value.kind !== 'Variable' || remarks.has(value.name.value)) continue
      const argument =
        'args' in field ? field.args.find((one) => one.name === name.value) : undefined
      if (argument !== undefined) remarks.set(value.name.value, remarksOf(argument))
    }
    if (node.selectionSet) visit(node.selectionSet, namedTypeOf(field.type))
  }
}
