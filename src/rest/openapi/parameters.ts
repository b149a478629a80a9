import { ofShape, type JsonSchema } from './json-schema.js'
import type { DescribedPlan, DescribedVariable, OperationPlans } from './describe-plan.js'
import type { NamedSchemas } from './named-schemas.js'
import { ruleOf } from '../route/route.js'

/** The parameters of an operation; those of several routes with the same name are merged. */
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

/** The request headers that all routes of an operation support. */
export function headerParameters({ method, own, meant }: OperationPlans): readonly JsonSchema[] {
  const headers: JsonSchema[] = []
  if (method === 'GET') {
    headers.push(
      header(
        'If-None-Match',
        'ETags of stored responses; the response is 304 if one of them is current.',
      ),
    )
  }
  if ([...own, ...meant].some(isConditional)) {
    headers.push(
      header('If-Match', 'The expected ETag; the response is 412 if the current one differs.'),
    )
  }
  if (meant.length > 0) {
    const methods = [...new Set(meant.map(({ route }) => route.method))]
    headers.push({
      ...header(
        'X-HTTP-Method-Override',
        'The intended method, for clients that can only send POST.',
      ),
      required: own.length === 0,
      schema: { type: 'string', enum: methods },
    })
  }
  return headers
}

/** Whether a route supports `If-Match`: a write by its version, a GET by its response. */
export function isConditional({ route }: DescribedPlan): boolean {
  return route.method === 'GET' || route.ifMatch !== undefined
}

function parameterOf(
  variable: DescribedVariable,
  plan: DescribedPlan,
  named: NamedSchemas,
): JsonSchema {
  const { name, source, shape } = variable
  const rule = ruleOf(plan.route, name)
  const { description, ...remarks } = variable.remarks
  const words = rule?.description ?? description
  return {
    name,
    in: source,
    required: source === 'path' || variable.isRequired,
    ...(words !== undefined && { description: words }),
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
