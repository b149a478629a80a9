import type { GraphQLObjectType, GraphQLSchema, OperationDefinitionNode, Token } from 'graphql'
import { nameInWords } from 'graphwire/base'
import {
  dataSchema,
  describeVariables,
  NamedSchemas,
  objectOf,
  ofShape,
  type JsonSchema,
  type ScalarSchemas,
  type SelectionSource,
} from '@graphwire/json-schema'
import type { PlannedTool } from './plan-tool.js'

/** A tool as `tools/list` describes it: its arguments are the variables of its operation, and its result is the data. */
export function describeTool(
  { name, source, document, definition }: PlannedTool,
  schema: GraphQLSchema,
  scalars: ScalarSchemas,
): object {
  const { fragments } = document
  // A valid operation has a root type.
  const root = schema.getRootType(definition.operation) as GraphQLObjectType
  const description = source.description ?? describeOperation(definition, root)
  return {
    name,
    title: source.title ?? nameInWords(name),
    ...(description && { description }),
    inputSchema: withDefinitions(scalars, (named) =>
      inputSchema(definition, { schema, fragments, named }),
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

function inputSchema(definition: OperationDefinitionNode, source: SelectionSource): JsonSchema {
  const members = describeVariables(definition, source).map((variable) => ({
    name: variable.name,
    schema: {
      ...ofShape(variable.shape, source.named.of),
      ...variable.remarks,
      ...variable.byDefault,
    },
    required: !variable.shape.nullable && !('default' in variable.byDefault),
  }))
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
