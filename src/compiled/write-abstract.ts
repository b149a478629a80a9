import { isThenable } from '../base/promise.js'
import type { GraphQLAbstractType, GraphQLObjectType } from 'graphql'
import { tagOf } from '../shapes/show-value.js'
import { inspectValue } from './inspect-value.js'
import type { ValuePlan } from './plan.js'
import { infoOf } from './resolve-info.js'
import type { Run } from './run.js'
import { wait } from './wait.js'
import { writeObject } from './write-object.js'

/** Finds the object type of a value, then writes it as that. */
export function writeAbstract(run: Run, plan: ValuePlan, value: unknown): void {
  const name = typeNameOf(run, plan, value)
  if (isThenable(name)) {
    wait(run, plan, name, (_run, _plan, late) => writeAs(run, plan, late, value))
  } else writeAs(run, plan, name, value)
}

function typeNameOf(run: Run, plan: ValuePlan, value: unknown): unknown {
  const type = plan.type as GraphQLAbstractType
  const resolveType = type.resolveType ?? run.input.typeResolver
  if (resolveType !== undefined) {
    return resolveType(value, run.input.contextValue, infoOf(run, plan), type)
  }
  // The default resolver of graphql-js, without `info` where it needs none.
  if (typeof value === 'object') {
    const { __typename: name } = value as { readonly __typename?: unknown }
    if (typeof name === 'string') return name
  }
  const { defaultTypeResolver } = run.plan.graphql
  return defaultTypeResolver(value, run.input.contextValue, infoOf(run, plan), type)
}

function writeAs(run: Run, plan: ValuePlan, name: unknown, value: unknown): void {
  const compiled = typeof name === 'string' ? plan.selections.get(name) : undefined
  const type = compiled === undefined ? checkType(run, plan, name, value) : compiled.type
  writeObject(run, plan, type, value)
}

function checkType(run: Run, plan: ValuePlan, name: unknown, value: unknown): GraphQLObjectType {
  const { schema, graphql } = run.plan
  const { definition, parentType, nodes } = plan.field
  const abstract = plan.type as GraphQLAbstractType
  const fail = (message: string, options: object = { nodes }): Error =>
    new graphql.GraphQLError(message, options)
  const must =
    `Abstract type "${abstract.name}" must resolve to an Object type at runtime for field ` +
    `"${parentType.name}.${definition.name}"`
  if (name === null || name === undefined) {
    throw fail(
      `${must}. Either the "${abstract.name}" type should provide a "resolveType" function or each ` +
        'possible type should provide an "isTypeOf" function.',
    )
  }
  if (typeof name !== 'string') throw fail(notAName(run, must, name, value), {})
  const type = schema.getType(name)
  if (type === undefined || type === null) {
    throw fail(
      `Abstract type "${abstract.name}" was resolved to a type "${name}" that does not exist inside the schema.`,
    )
  }
  if (type[Symbol.toStringTag] !== 'GraphQLObjectType') {
    throw fail(`Abstract type "${abstract.name}" was resolved to a non-object type "${name}".`)
  }
  if (!schema.isSubType(abstract, type as GraphQLObjectType)) {
    throw fail(`Runtime Object type "${name}" is not a possible type for "${abstract.name}".`)
  }
  return type as GraphQLObjectType
}

function notAName(run: Run, must: string, name: unknown, value: unknown): string {
  if (!run.is17 && tagOf(name) === 'GraphQLObjectType') {
    return (
      'Support for returning GraphQLObjectType from resolveType was removed in graphql-js@16.0.0 ' +
      'please return type name instead.'
    )
  }
  const received = `${must} with value ${inspectValue(run, value)}, received "${inspectValue(run, name)}"`
  return run.is17 ? `${received}, which is not a valid Object type name.` : `${received}.`
}
