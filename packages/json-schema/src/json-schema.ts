import type { TypeShape } from './type-shape.js'
import type { GraphQLNamedType } from 'graphql'

/** A JSON Schema of 2020-12, or another object of OpenAPI. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** A member of an object and whether it is required. */
export interface Member {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
}

/** The schema of a type's shape; `ofNamed` returns that of a named type. */
export function ofShape(
  shape: TypeShape,
  ofNamed: (type: GraphQLNamedType) => JsonSchema,
): JsonSchema {
  const whole =
    'listOf' in shape
      ? { type: 'array', items: ofShape(shape.listOf, ofNamed) }
      : ofNamed(shape.named)
  return shape.nullable ? orNull(whole) : whole
}

/** An object schema with these members and further keywords. */
export function objectOf(members: readonly Member[], more: JsonSchema = {}): JsonSchema {
  const required = members.filter((member) => member.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    ...more,
  }
}

/** Combines schemas by a keyword; duplicates are removed, and a single schema is returned as it is. */
export function choiceOf(keyword: 'anyOf' | 'oneOf', schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()]
  const [only] = different
  return only !== undefined && different.length === 1 ? only : { [keyword]: different }
}

/** Description and deprecation of a field, an argument or a value. */
export function remarksOf(element: {
  readonly description?: string | null | undefined
  readonly deprecationReason?: string | null | undefined
}): JsonSchema {
  const { description, deprecationReason: reason } = element
  const deprecated = reason == null ? undefined : `Deprecated: ${reason}`
  const text = [description, deprecated].filter(Boolean).join('\n\n')
  return {
    ...(text !== '' && { description: text }),
    ...(deprecated !== undefined && { deprecated: true }),
  }
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema
  if (typeof type === 'string') return { ...schema, type: [type, 'null'] }
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] }
  return { anyOf: [schema, { type: 'null' }] }
}
