import type {
  GraphQLScalarType,
  GraphQLScalarTypeConfig,
  ValueNode,
  ConstObjectFieldNode,
  ConstValueNode,
} from 'graphql'
import type { SchemaTools } from '../js/graphql.js'
import { checkFunction, checkName, type GivenMembers } from './check-member.js'
import { SchemaError } from './check-schema.js'

/** Whether it is a scalar of any copy and version of graphql-js. */
export function isScalarType(value: object): value is GraphQLScalarType {
  return Object.prototype.toString.call(value) === '[object GraphQLScalarType]'
}

/**
 * Adds functions to a scalar. It is rebuilt from its config, because graphql-js derives missing functions
 * from the others only in the constructor, above all the parser of literals.
 */
export function toScalar(
  tools: SchemaTools,
  type: GraphQLScalarType,
  given: GivenMembers,
): GraphQLScalarType {
  if (!isScalarType(given)) {
    for (const name of Object.keys(given)) {
      const message = `Resolver "${type.name}.${name}": scalars have no "${name}".`
      checkName(message, name, [...scalarFunctions, ...scalarFacts])
    }
  }
  const { name, description, specifiedByURL, astNode, extensionASTNodes } = type.toConfig()
  const facts = given as Partial<GraphQLScalarType>
  return new tools.GraphQLScalarType({
    ...readFunctions(type.name, given),
    name,
    description: description ?? facts.description,
    specifiedByURL: specifiedByURL ?? facts.specifiedByURL,
    extensions: facts.extensions,
    astNode,
    extensionASTNodes,
  })
}

const scalarFunctions = [
  'serialize',
  'parseValue',
  'parseLiteral',
  'coerceOutputValue',
  'coerceInputValue',
  'coerceInputLiteral',
  'valueToLiteral',
] as const

/** The rest of a GraphQLScalarTypeConfig. What SDL also defines is taken from SDL. */
const scalarFacts = [
  'name',
  'description',
  'specifiedByURL',
  'extensions',
  'astNode',
  'extensionASTNodes',
] as const

type ScalarMethods = Pick<
  GraphQLScalarTypeConfig<unknown, unknown>,
  (typeof scalarFunctions)[number]
>

/** Each function has a name in each major; if both are present, the one of 17 is used, as in 17. */
function readFunctions(typeName: string, given: GivenMembers): ScalarMethods {
  const read = <Name extends keyof ScalarMethods>(name: Name): ScalarMethods[Name] => {
    const member = given[name]
    if (member === undefined || member === null) return undefined
    return checkFunction(`Resolver "${typeName}.${name}"`, member).bind(
      given,
    ) as ScalarMethods[Name]
  }
  const output = read('coerceOutputValue') ?? read('serialize')
  const input = read('coerceInputValue') ?? read('parseValue')
  checkNamed(typeName, given, output, ['serialize', 'coerceOutputValue'])
  checkNamed(typeName, given, input, ['parseValue', 'coerceInputValue'])
  const literal = read('coerceInputLiteral')
  const oldLiteral = read('parseLiteral')
  if (input === undefined && (literal ?? oldLiteral) !== undefined) {
    throw new SchemaError(
      `Resolvers for "${typeName}": a parser of literals without one of variables would leave variables unchecked. ` +
        'Add parseValue (graphql 17: coerceInputValue).',
    )
  }
  return {
    serialize: output,
    parseValue: input,
    parseLiteral:
      literal === undefined
        ? oldLiteral
        : (node: ValueNode, variables: LiteralVariables) =>
            literal(toConstLiteral(node, variables)),
    coerceOutputValue: output,
    coerceInputValue: input,
    coerceInputLiteral: literal,
    valueToLiteral: read('valueToLiteral'),
  }
}

/** A function that is named but undefined, such as a misspelled import, must not become the identity. */
function checkNamed(
  typeName: string,
  given: GivenMembers,
  found: unknown,
  names: readonly (keyof ScalarMethods)[],
): void {
  const name = names.find((each) => each in given)
  if (found === undefined && name) checkFunction(`Resolver "${typeName}.${name}"`, given[name])
}

/** The values of variables, as graphql 16 passes them to the parser of a literal. */
type LiteralVariables = { readonly [name: string]: unknown } | null | undefined

/**
 * Replaces variables in a literal by their values, for scalars written for graphql 17, which does so before
 * it calls them: a variable without a value is null, and a field of an object is omitted.
 */
function toConstLiteral(node: ValueNode, variables: LiteralVariables): ConstValueNode {
  switch (node.kind) {
    case 'Variable':
      return toLiteral(variables?.[node.name.value])
    case 'ListValue':
      return { ...node, values: node.values.map((value) => toConstLiteral(value, variables)) }
    case 'ObjectValue': {
      const fields = node.fields.filter(
        ({ value }) => value.kind !== 'Variable' || variables?.[value.name.value] !== undefined,
      )
      return {
        ...node,
        fields: fields.map(({ kind, name, value }) => ({
          kind,
          name,
          value: toConstLiteral(value, variables),
        })),
      }
    }
    default:
      return node
  }
}

function toLiteral(value: unknown): ConstValueNode {
  switch (typeof value) {
    case 'undefined':
      return { kind: 'NullValue' }
    case 'boolean':
      return { kind: 'BooleanValue', value }
    case 'string':
      return { kind: 'StringValue', value }
    case 'number':
      return numberLiteral(value)
    case 'object':
      if (value === null) return { kind: 'NullValue' }
      if (Array.isArray(value)) return { kind: 'ListValue', values: value.map(toLiteral) }
      if (isPlain(value)) return { kind: 'ObjectValue', fields: toFields(value) }
      break
    default:
  }
  // A value parsed by another scalar has no literal, and an error is better than a wrong value.
  throw new TypeError(
    'Variables inside a scalar literal must have a type without a parser of its own.',
  )
}

function numberLiteral(value: number): ConstValueNode {
  if (!Number.isFinite(value)) return { kind: 'NullValue' }
  const text = String(value)
  return { kind: /^-?\d+$/.test(text) ? 'IntValue' : 'FloatValue', value: text }
}

function toFields(value: object): ConstObjectFieldNode[] {
  return Object.entries(value).map(([name, member]) => ({
    kind: 'ObjectField',
    name: { kind: 'Name', value: name },
    value: toLiteral(member),
  }))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
