import type { GraphQLField, GraphQLSchema } from 'graphql'
import { mistake } from '../route/route.js'
import type { RoutePlan } from '../plan/plan.js'
import type { PlannedVariable } from '../plan/plan-variables.js'
import { describeVariables, type DescribedVariable } from '@graphwire/json-schema'

/** The plan of a route with descriptions from the schema. */
export interface DescribedPlan extends RoutePlan {
  readonly schema: GraphQLSchema
  readonly field: GraphQLField<unknown, unknown>
  readonly described: readonly (PlannedVariable & DescribedVariable)[]
}

/** The plans of an operation in order, and those that a POST can stand for. */
export interface OperationPlans {
  readonly method: string
  readonly own: readonly DescribedPlan[]
  readonly meant: readonly DescribedPlan[]
}

export function describePlan(plan: RoutePlan, schema: GraphQLSchema): DescribedPlan {
  const { definition, rootField, route, variables } = plan
  const field = schema.getRootType(definition.operation)?.getFields()[rootField.name.value]
  if (field === undefined) throw mistake(route, 'introspection cannot be a resource')
  const { fragments } = plan.document
  const described = describeVariables(definition, { schema, fragments }).map((one) =>
    Object.assign({}, variables.get(one.name) as PlannedVariable, one),
  )
  return { ...plan, schema, field, described }
}
