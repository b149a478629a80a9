import type {
  FieldNode,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
  TypeNode,
  ValueNode,
} from 'graphql'
import type { JsonObject } from '../../../base/json.js'
import type { Fragments } from '../../js/fragments.js'
import { sizeAt, type Declaration, type FieldCosts } from './field-costs.js'
import {
  inputKindOf,
  listOfKind,
  toJson,
  valuesPerField,
  type InputKind,
  type InputMeasure,
} from './input-measures.js'

/** A valid operation, with the variables as sent. */
export interface CostInput {
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  readonly definition: OperationDefinitionNode
  readonly variables: JsonObject | undefined
}

/** The weight and sizes that follow from the arguments of a field. */
export interface FieldInput {
  /** The cost of the field itself with its arguments. */
  readonly weight: number
  /** The size of a list. */
  readonly size: number
  /** The size of a list as requested: 0 if it is only assumed by the settings. */
  readonly requested: number
}

/** The variables and arguments of an operation. */
export class OperationInputs {
  /** Whether the value of any variable has been read. */
  usesVariables = false
  readonly input: CostInput
  readonly fields: FieldCosts
  readonly #values = new Map<string, unknown>()
  /** What the lists and objects among the values of variables hold. */
  readonly #measured = new Map<unknown, InputMeasure>()

  constructor(input: CostInput, fields: FieldCosts) {
    this.input = input
    this.fields = fields
  }

  /** The value of a variable, or its default; undefined if it has neither. */
  readonly valueOf = (name: string): unknown => {
    this.usesVariables = true
    if (this.#values.has(name)) return this.#values.get(name)
    const { schema, definition, variables } = this.input
    const declared = definition.variableDefinitions?.find((one) => one.variable.name.value === name)
    if (declared === undefined) return undefined
    const { type, defaultValue } = declared
    const isSent = variables !== undefined && Object.hasOwn(variables, name)
    const value = isSent ? variables[name] : defaultValue && this.toJson(defaultValue)
    this.#values.set(name, value)
    if (isObject(value)) {
      const kind = kindOfNode(type, schema)
      this.#measured.set(value, this.fields.inputs.of(value, kind, new Map()))
    }
    return value
  }

  toJson(literal: ValueNode): unknown {
    return toJson(literal, this.valueOf)
  }

  /** The cost of coercing the lists and objects among the variables, which graphql-js does once. Custom scalars coerce their own. */
  costOfVariables(): number {
    const { schema, definition, variables = {} } = this.input
    let values = 0
    for (const { variable, type } of definition.variableDefinitions ?? []) {
      const name = variable.name.value
      if (!Object.hasOwn(variables, name) || !isObject(variables[name])) continue
      const { lists, type: object, isPlain } = kindOfNode(type, schema)
      if (lists === 0 && object === undefined && !isPlain) continue
      values += this.#measured.get(this.valueOf(name))?.values ?? 0
    }
    return Math.floor(values / valuesPerField)
  }

  /** For several declarations the largest of each figure. */
  ofField(node: FieldNode, declarations: readonly Declaration[]): FieldInput {
    const [declaration] = declarations
    if (declaration && declarations.length === 1) return this.#ofDeclaration(node, declaration)
    return declarations
      .map((one) => this.#ofDeclaration(node, one))
      .reduce((one, other) => ({
        weight: Math.max(one.weight, other.weight),
        size: Math.max(one.size, other.size),
        requested: Math.max(one.requested, other.requested),
      }))
  }

  #ofDeclaration({ arguments: nodes = [] }: FieldNode, declaration: Declaration): FieldInput {
    const { costListSize, costMaxListSize } = this.fields.settings
    let { weight } = declaration
    let values = 0
    let exact = 0
    let longer = 0
    for (const argument of declaration.arguments) {
      const { name, lists, type, sizePaths } = argument
      const literal = nodes.find((one) => one.name.value === name)?.value
      if (literal !== undefined) weight += argument.weight
      const isLiteral = literal !== undefined && literal.kind !== 'Variable'
      const isSimple = lists === 0 && type === undefined && sizePaths.length === 0
      if (!isLiteral && isSimple) continue
      const given = literal && this.toJson(literal)
      const value = given === undefined ? argument.byDefault : given
      if (value === undefined) continue
      const variables = given === undefined ? undefined : this.#measured
      const found = this.fields.inputs.of(value, argument, variables)
      if (isLiteral) values += found.values
      for (const path of sizePaths) exact = Math.max(exact, sizeAt(path, value, type, costListSize))
      if (declaration.isSearched) longer = Math.max(longer, found.size)
      if (!declaration.isAssumed) longer = Math.max(longer, found.items)
    }
    const stated = exact || (declaration.isAssumed ? declaration.size : 0)
    const size = stated || declaration.size
    return {
      weight: weight + Math.floor(values / valuesPerField),
      size: Math.min(Math.max(size, longer), costMaxListSize),
      requested: Math.min(longer > size ? longer : stated, costMaxListSize),
    }
  }
}

/** Whether it is an object or a list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function kindOfNode(node: TypeNode, schema: GraphQLSchema): InputKind {
  if (node.kind === 'NamedType') {
    return inputKindOf(schema.getType(node.name.value) as GraphQLInputType)
  }
  const kind = kindOfNode(node.type, schema)
  return node.kind === 'ListType' ? listOfKind(kind) : kind
}
