import type { GraphQLObjectType, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { nameInWords } from '../../base/name-in-words.js'
import { defaultOfVariable } from '../../json-schema/default-value.js'
import { objectOf, ofShape, type JsonSchema } from '../../json-schema/json-schema.js'
import { NamedSchemas, type ScalarSchemas } from '../../json-schema/named-schemas.js'
import { dataSchema, type SelectionSource } from '../../json-schema/selection-schema.js'
import { shapeOfNode } from '../../json-schema/type-shape.js'
import { commentAbove } from './comment-above.js'
import type { PlannedTool } from './plan-tool.js'
import { remarksOfVariables } from './variable-remarks.js'

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
