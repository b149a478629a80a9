import type { GraphQLError, GraphQLInputType, TypeNode, VariableDefinitionNode } from 'graphql'
import type { CoercedValues, ErrorOptions } from '../graphql/js/graphql.js'
import { isUsual, type BuiltIn } from './known-scalars.js'
import type { OperationFacts } from './operation-plan.js'

/** The values of variables: as resolvers find them in `info.variableValues`, and by name. */
export interface Variables {
  readonly variableValues: unknown
  readonly coerced: CoercedValues
}

/** The errors of the variables. */
export interface Failures {
  readonly failures: readonly GraphQLError[]
}

/** Gives the values, or the errors of graphql-js. */
export type CoerceVariables = (inputs: CoercedValues, options: ErrorOptions) => Variables | Failures

export type CoercedMembers = Record<string, unknown>

/** An object for arguments or variables. Those of graphql 17 have no prototype. */
export function emptyMap(is17: boolean): CoercedMembers {
  return is17 ? (Object.create(null) as CoercedMembers) : {}
}

interface SimpleVariable {
  readonly name: string
  readonly scalar: BuiltIn
  readonly nonNull: boolean
  readonly type: GraphQLInputType
}

/**
 * Variables of built-in scalars that are given as they should be need no coercion. For all else, such as a
 * default value or a mistake in one of them, graphql-js coerces them all.
 */
export function compileVariables(facts: OperationFacts): CoerceVariables {
  const { graphql, schema, definition, is17 } = facts
  const definitions = definition.variableDefinitions ?? []
  const simple = definitions.map((node) => toSimple(facts, node))
  const all = simple.filter((variable) => variable !== undefined)
  const isSimple = all.length === simple.length
  return (inputs, options) => {
    const taken = isSimple ? take(all, inputs, is17) : undefined
    if (taken !== undefined) return taken
    const { errors, coerced, variableValues } = graphql.getVariableValues(
      schema,
      definitions,
      inputs,
      options,
    )
    if (errors !== undefined) return { failures: errors }
    if (variableValues !== undefined) return { variableValues, coerced: variableValues.coerced }
    return { variableValues: coerced, coerced: coerced as CoercedValues }
  }
}

function toSimple(
  { graphql, schema, scalars }: OperationFacts,
  { variable, type, defaultValue }: VariableDefinitionNode,
): SimpleVariable | undefined {
  const nonNull = type.kind === 'NonNullType'
  const named: TypeNode = nonNull ? type.type : type
  if (named.kind !== 'NamedType' || defaultValue !== undefined) return undefined
  // Assigned to a plain object, as on graphql 16, it would be lost.
  if (variable.name.value === '__proto__') return undefined
  const found = schema.getType(named.name.value)
  const scalar = found === undefined ? undefined : scalars.nameOf(found)
  if (scalar === undefined) return undefined
  const declared = graphql.typeFromAST(schema, type) as GraphQLInputType
  return { name: variable.name.value, scalar, nonNull, type: declared }
}

/** Undefined if graphql-js must look at them. */
function take(
  variables: readonly SimpleVariable[],
  inputs: CoercedValues,
  is17: boolean,
): Variables | undefined {
  const coerced = emptyMap(is17)
  const sources = emptyMap(is17)
  for (const { name, scalar, nonNull, type } of variables) {
    const isGiven = Object.hasOwn(inputs, name)
    const value = isGiven ? inputs[name] : undefined
    const fits = !isGiven || value === null ? !nonNull : isUsual(scalar, value)
    if (!fits) return undefined
    if (isGiven) coerced[name] = value
    if (!is17) continue
    const signature = { name, type, default: undefined }
    sources[name] = isGiven ? { signature, value } : { signature }
  }
  return { variableValues: is17 ? { sources, coerced } : coerced, coerced }
}
