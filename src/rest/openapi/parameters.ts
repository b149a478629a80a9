import { ofShape, type JsonSchema } from './json-schema.js'
import type { DescribedPlan, DescribedVariable, OperationPlans } from './describe-plan.js'
import type { NamedSchemas } from './named-schemas.js'

/** The parameters of an operation, where those of several routes with one name are one. */
export function parametersOf(
  plans: readonly DescribedPlan[],
  named: NamedSchemas,
): readonly JsonSchema[] {
  const found = new Map<string, JsonSchema>()
  for (const plan of plans) {
    for (const variable of plan.described) {
      if (variable.source !== 'path' && variable.source !== 'query') continue
      const key = `${variable.source} ${variable.name}`
      if (!found.has(key)) found.set(key, parameterOf(variable, plan, named))
    }
  }
  return [...found.values()]
}

/** The headers of a request that mean something to every route like these. */
export function headerParameters({ method, own, meant }: OperationPlans): readonly JsonSchema[] {
  const headers: JsonSchema[] = []
  if (method === 'GET') {
    headers.push(header('If-None-Match', 'ETags that are known; one that still holds answers 304.'))
  }
  if ([...own, ...meant].some(isConditional)) {
    headers.push(header('If-Match', 'The ETag that is expected; another one answers 412.'))
  }
  if (meant.length > 0) {
    const methods = [...new Set(meant.map(({ route }) => route.method))]
    headers.push({
      ...header('X-HTTP-Method-Override', 'The method that is meant, for clients that only POST.'),
      required: own.length === 0,
      schema: { type: 'string', enum: methods },
    })
  }
  return headers
}

/** Whether a route heeds `If-Match`: a write by its version, a GET by its answer. */
export function isConditional({ route }: DescribedPlan): boolean {
  return route.method === 'GET' || route.ifMatch !== undefined
}

function parameterOf(
  variable: DescribedVariable,
  plan: DescribedPlan,
  named: NamedSchemas,
): JsonSchema {
  const { name, source, shape } = variable
  const rule = plan.route.parameters?.[name]
  const { description, ...remarks } = variable.remarks
  const told = rule?.description ?? description
  return {
    name,
    in: source,
    required: source === 'path' || variable.isRequired,
    ...(told !== undefined && { description: told }),
    ...remarks,
    schema: {
      ...ofShape({ ...shape, nullable: false }, named.of),
      ...(rule?.minimum !== undefined && { minimum: rule.minimum }),
      ...(rule?.maximum !== undefined && { maximum: rule.maximum }),
      ...(source === 'query' && variable.byDefault),
    },
  }
}

function header(name: string, description: string): JsonSchema {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}
