import type { GraphQLArgument, GraphQLInputField, ValueNode, VariableDefinitionNode } from 'graphql'
import type { JsonSchema } from './json-schema.js'
import { shapeOfType, type TypeShape } from './type-shape.js'

/** The `default` keyword, if an argument or an input field has a default value that JSON can represent. */
export function defaultOf(input: GraphQLArgument | GraphQLInputField): JsonSchema {
  const shape = shapeOfType(input.type)
  const literal = input.astNode?.defaultValue ?? input.default?.literal
  if (literal !== undefined) return { default: fromLiteral(literal, shape) }
  const value =
    input.default === undefined ? fromInternal(input.defaultValue, shape) : input.default.value
  return value === undefined ? {} : { default: value }
}

/** The `default` keyword of a variable of an operation, if it has a default value. */
export function defaultOfVariable(
  { defaultValue }: VariableDefinitionNode,
  shape: TypeShape,
): JsonSchema {
  return defaultValue === undefined ? {} : { default: fromLiteral(defaultValue, shape) }
}

/** Converts a constant of GraphQL to JSON, coerced to its type. */
function fromLiteral(node: ValueNode, shape: TypeShape): unknown {
  if (node.kind === 'NullValue') return null
  if ('listOf' in shape) {
    // The GraphQL specification, section 3.11: a single value is coerced to a list.
    const items = node.kind === 'ListValue' ? node.values : [node]
    return items.map((item) => fromLiteral(item, shape.listOf))
  }
  const { named } = shape
  switch (node.kind) {
    case 'IntValue':
      return named.name === 'ID' ? node.value : Number(node.value)
    case 'FloatValue':
      return Number(node.value)
    case 'ListValue':
      return node.values.map((item) => fromLiteral(item, shape))
    case 'ObjectValue':
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [
          name.value,
          fromLiteral(value, memberShape(shape, name.value)),
        ]),
      )
    case 'Variable':
      throw new TypeError(`$${node.name.value}: a default value cannot contain variables.`)
    default:
      return node.value
  }
}

/** graphql 16 stores the default values of code-first schemas as internal values. */
function fromInternal(value: unknown, shape: TypeShape): unknown {
  if (value == null) return value
  if ('listOf' in shape) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    return items.map((item) => fromInternal(item, shape.listOf))
  }
  const { named } = shape
  if ('serialize' in named)
    return (named as { serialize(value: unknown): unknown }).serialize(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      fromInternal(member, memberShape(shape, name)),
    ]),
  )
}

/** The shape of a member of an input object; inside a custom scalar, that of the scalar. */
function memberShape(shape: TypeShape, name: string): TypeShape {
  const type =
    'named' in shape && 'getFields' in shape.named ? shape.named.getFields()[name] : undefined
  return type === undefined ? shape : shapeOfType(type.type)
}
