import type { GraphQLSchema } from 'graphql'
import { planRoute, type PlanTools, type RoutePlan } from './plan.js'
import type { PlacedRoute } from './router.js'

/** Gives the plan of a route for a schema. */
export type Planner = (placed: PlacedRoute, schema: GraphQLSchema) => RoutePlan

/** Which routes are planned, and for what. */
interface PlannerSettings {
  readonly graphql: PlanTools['graphql']
  readonly placed: readonly PlacedRoute[]
  /** A schema that is known now; a function gives others later. */
  readonly schema: GraphQLSchema | ((...input: never[]) => unknown)
}

/** Makes the planner. All routes are planned when a schema is first seen: a mistake is told then, and once. */
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
    const known = plans.get(schema)
    if (known !== undefined) return known
    const made = new Map(routes.map((route) => [route, planRoute(route, schema, tools)]))
    plans.set(schema, made)
    return made
  }
  if (typeof first !== 'function') planAll(first)
  return (placed, schema) => planAll(schema).get(placed) as RoutePlan
}
