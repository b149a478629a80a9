import type { GraphQLArgument, GraphQLField, GraphQLSchema, VariableDefinitionNode } from 'graphql'
import { mistake } from '../route/route.js'
import type { RoutePlan } from '../plan/plan.js'
import type { PlannedVariable } from '../plan/plan-variables.js'
import type { PlacedRoute } from '../route/router.js'
import {
  defaultOfVariable,
  remarksOf,
  type JsonSchema,
  shapeOfType,
  type TypeShape,
} from '@graphwire/json-schema'

/** The plan of a route with descriptions from the schema. */
export interface DescribedPlan extends RoutePlan, PlacedRoute {
  readonly schema: GraphQLSchema
  readonly field: GraphQLField<unknown, unknown>
  readonly described: readonly DescribedVariable[]
}

/** The plans of an operation in order, and those that a POST can stand for. */
export interface OperationPlans {
  readonly method: string
  readonly own: readonly DescribedPlan[]
  readonly meant: readonly DescribedPlan[]
}

/** A variable with its description. */
export interface DescribedVariable extends PlannedVariable {
  readonly shape: TypeShape
  /** Its default value as a keyword. */
  readonly byDefault: JsonSchema
  /** The description of the argument of the root field that gets it. */
  readonly remarks: JsonSchema
}

export function describePlan(
  plan: RoutePlan,
  { template }: PlacedRoute,
  schema: GraphQLSchema,
): DescribedPlan {
  const { definition, rootField, route, variables } = plan
  const field = schema.getRootType(definition.operation)?.getFields()[rootField.name.value]
  if (field === undefined) throw mistake(route, 'introspection cannot be a resource')
  const described = [...variables.values()].map((one) => describeVariable(one, plan, field))
  return { ...plan, template, schema, field, described }
}

function describeVariable(
  variable: PlannedVariable,
  plan: RoutePlan,
  field: GraphQLField<unknown, unknown>,
): DescribedVariable {
  const shape = shapeOfType(variable.type)
  const node = definitionOf(plan, variable.name)
  return {
    ...variable,
    shape,
    byDefault: node === undefined ? {} : defaultOfVariable(node, shape),
    remarks: remarksOf(argumentOf(plan, field, variable.name) ?? {}),
  }
}

function definitionOf({ definition }: RoutePlan, name: string): VariableDefinitionNode | undefined {
  return definition.variableDefinitions?.find(({ variable }) => variable.name.value === name)
}

function argumentOf(
  { rootField }: RoutePlan,
  field: GraphQLField<unknown, unknown>,
  name: string,
): GraphQLArgument | undefined {
  const used = rootField.arguments?.find(
    ({ value }) => value.kind === 'Variable' && value.name.value === name,
  )
  return used && field.args.find((argument) => argument.name === used.name.value)
}
