import type { DocumentNode, GraphQLSchema } from 'graphql'
import type { GraphQLModule } from './graphql.js'

/**
 * The document without @defer and @stream. They are permissions and not demands, and no encoding
 * that delivers in parts is configured, so everything is delivered at once; execution as a single
 * result would throw on them.
 */
export function withoutIncremental(
  graphql: GraphQLModule,
  schema: GraphQLSchema,
  document: DocumentNode,
): DocumentNode {
  if (schema.getDirective('defer') == null && schema.getDirective('stream') == null) return document
  return graphql.visit(document, {
    Directive: ({ name }) => (name.value === 'defer' || name.value === 'stream' ? null : undefined),
  })
}
