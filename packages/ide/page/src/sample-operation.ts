import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isInterfaceType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
  print,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import { uploadTypes } from './files.js'

/** What is filled into the editors. */
export interface Sample {
  readonly title: string
  readonly query: string
  /** JSON. */
  readonly variables?: string
  /** JSON. */
  readonly headers?: string
}

/** An operation of each kind that the schema has. */
export function listSamples(schema: GraphQLSchema): readonly Sample[] {
  const query = schema.getQueryType()
  const hasDefer = schema.getDirective('defer') != null
  return [
    makeSample('Query', query),
    makeSample('Mutation', schema.getMutationType()),
    makeSample('Subscription', schema.getSubscriptionType()),
    hasDefer ? makeSample('@defer', query) : undefined,
  ].filter((sample) => sample !== undefined)
}

/** As many fields as a sample selects. */
const maxFields = 6

type Field = GraphQLField<unknown, unknown>

function makeSample(title: string, root: GraphQLObjectType | null | undefined): Sample | undefined {
  const isDeferred = title === '@defer'
  const [chosen] = Object.values(root?.getFields() ?? {})
    .filter((field) => !isDeferred || selectFields(typeOf(field), true).includes('@defer'))
    .toSorted((a, b) => burdenOf(a) - burdenOf(b))
  if (chosen === undefined) return undefined
  const required = chosen.args.filter(isRequiredArgument)
  const limit = chosen.args.find(isLimit)
  const declared = required.map(({ name, type }) => `$${name}: ${type}`)
  const passed = [
    ...required.map(({ name }) => `${name}: $${name}`),
    ...(limit === undefined || required.includes(limit) ? [] : [`${limit.name}: 3`]),
  ]
  const kind = isDeferred ? 'query' : title.toLowerCase()
  const name = chosen.name.replace(/^./, (letter) => letter.toUpperCase())
  const text = `${kind} ${name}${inParentheses(declared)} {
    ${chosen.name}${inParentheses(passed)} ${selectFields(typeOf(chosen), isDeferred)} }`
  const variables = Object.fromEntries(required.map((arg) => [arg.name, makeValue(arg.type, arg)]))
  return {
    title,
    query: `${print(parse(text))}\n`,
    ...(required.length > 0 && { variables: JSON.stringify(variables, undefined, 2) }),
  }
}

function inParentheses(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `(${parts.join(', ')})`
}

/** A field with no arguments and with fields of its own is the best to begin with. */
function burdenOf({ args, type, deprecationReason }: Field): number {
  return (
    args.filter(isRequiredArgument).length * 2 +
    (isLeafType(getNamedType(type)) ? 1 : 0) +
    (deprecationReason == null ? 0 : 100)
  )
}

function isLimit({ name, type }: GraphQLArgument): boolean {
  return (name === 'first' || name === 'limit') && getNamedType(type).name === 'Int'
}

function typeOf({ type }: Field): GraphQLNamedOutputType {
  return getNamedType(type)
}

/** The leaves of a type; of a type that only leads to another, such as a connection, those of that one. */
function selectFields(type: GraphQLNamedOutputType, isDeferred: boolean, depth = 0): string {
  if (isLeafType(type)) return ''
  if ((!isObjectType(type) && !isInterfaceType(type)) || depth > 3) return '{ __typename }'
  const fields = Object.values(type.getFields()).filter(
    ({ args, deprecationReason }) => deprecationReason == null && !args.some(isRequiredArgument),
  )
  const way = fields.find(({ name }) => name === 'nodes' || name === 'edges' || name === 'node')
  const leaves = fields.filter((field) => isLeafType(typeOf(field))).map(({ name }) => name)
  const next = way ?? (leaves.length === 0 ? fields[0] : undefined)
  if (next !== undefined) {
    return `{ ${next.name} ${selectFields(typeOf(next), isDeferred, depth + 1)} }`
  }
  const [first = '__typename', ...rest] = leaves.slice(0, maxFields)
  const isSplit = isDeferred && rest.length > 0
  return `{ ${first} ${isSplit ? `... @defer { ${rest.join(' ')} }` : rest.join(' ')} }`
}

/** A valid value of a type, as far as the schema tells. */
function makeValue(type: GraphQLInputType, of: { readonly name: string }, depth = 0): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return [makeValue(nullable.ofType, of, depth)]
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name
  if (!isInputObjectType(nullable))
    return nullable.name in scalars ? scalars[nullable.name] : of.name
  if (depth > 3) return {}
  const fields = Object.values(nullable.getFields())
  const required = fields.filter(isRequiredInputField)
  // The first field alone where exactly one is wanted, or at least one makes sense.
  const filled = required.length === 0 ? fields.slice(0, 1) : required
  return Object.fromEntries(
    filled.map((field) => [field.name, makeValue(field.type, field, depth + 1)]),
  )
}

const scalars: { readonly [name: string]: unknown } = {
  ID: '1',
  Int: 1,
  Float: 1.5,
  Boolean: true,
  // A file is chosen by its own button.
  ...Object.fromEntries(uploadTypes.map((name) => [name, null])),
}
