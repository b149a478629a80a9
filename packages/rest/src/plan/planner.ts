import type { GraphQLSchema } from 'graphql'
import { planRoute, type PlanTools, type RoutePlan } from './plan.js'
import type { PlacedRoute } from '../route/router.js'

/** Returns the plan of a route for a schema. */
export type Planner = (placed: PlacedRoute, schema: GraphQLSchema) => RoutePlan

interface PlannerSettings {
  readonly graphql: PlanTools['graphql']
  readonly placed: readonly PlacedRoute[]
  /** The schema, if it is not a function, which may return others later. */
  readonly schema: GraphQLSchema | ((...input: never[]) => unknown)
}

/** All routes are planned when a schema is first seen, so that mistakes are reported then, and once. */
export function createPlanner(
  { graphql, placed: routes, schema: first }: PlannerSettings,
  documents: Pick<PlanTools, 'findDocument'>,
): Planner {
  const tools: PlanTools = {
    graphql,
    findDocument: (schema, source) => documents.findDocument(schema, source),
  }
  const plans = new WeakMap<GraphQLSchema, ReadonlyMap<PlacedRoute, RoutePlan>>()
  const planAll = (schema: GraphQLSchema): ReadonlyMap<PlacedRoute, RoutePlan> => {
    const planned = plans.get(schema)
    if (planned !== undefined) return planned
    const newPlans = new Map(routes.map((route) => [route, planRoute(route, schema, tools)]))
    plans.set(schema, newPlans)
    return newPlans
  }
  if (typeof first !== 'function') planAll(first)
  return (placed, schema) => planAll(schema).get(placed) as RoutePlan
}
