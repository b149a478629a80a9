import type { DocumentNode, GraphQLSchema } from 'graphql'
import { checkSchema } from '../../engine/check-schema.js'
import type { ValidDocument } from '../../engine/documents.js'
import { fragmentsOf } from '../../engine/fragments.js'
import type { GraphQLModule } from '../../engine/graphql.js'
import type { RequestError } from '../../engine/request-error.js'
import { failure, success, type Outcome } from '../../outcome.js'
import { placeRoutes } from '../place-routes.js'
import { planRoute } from '../plan.js'
import type { Route } from '../route.js'
import { describePlan, type DescribedPlan } from './describe-plan.js'

/** Plans routes as the handler does, which throws what it would throw. */
export function planRoutes(
  graphql: GraphQLModule,
  schema: GraphQLSchema,
  routes: readonly Route<never>[],
): readonly DescribedPlan[] {
  checkSchema(graphql, schema)
  const findDocument = (_: GraphQLSchema, source: string) => checkSource(graphql, schema, source)
  return placeRoutes(routes).map((placed) =>
    describePlan(planRoute(placed, schema, { graphql, findDocument }), placed, schema),
  )
}

/** The limits of documents are for those of strangers. */
function checkSource(
  graphql: GraphQLModule,
  schema: GraphQLSchema,
  source: string,
): Outcome<ValidDocument, RequestError> {
  let document: DocumentNode
  try {
    document = graphql.parse(source)
  } catch (error) {
    return failure({ kind: 'syntax', errors: [{ message: (error as Error).message }] })
  }
  const errors = graphql.validate(schema, document)
  if (errors.length > 0) return failure({ kind: 'validation', errors })
  const operations = document.definitions.filter((node) => node.kind === 'OperationDefinition')
  return success({ document, operations, fragments: fragmentsOf(document) })
}
