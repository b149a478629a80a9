import type { IncomingMessage } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import { createApiDescription, type Handler } from 'graphwire'
import { peopleRoutes } from '../routes.js'
import { answerPage, createPage, createReader } from './fixed.js'
import { readVersion } from './index-page.js'
import { loginPath } from './login-description.js'

/** Answers `GET /openapi.json`, made of the routes and the schema. */
export function answerApiDescription(schema: GraphQLSchema): Handler<IncomingMessage> {
  const description = createApiDescription({
    schema,
    routes: peopleRoutes,
    info: {
      title: 'people',
      version: readVersion(),
      description:
        'Persons with friends and addresses. The same data is served as GraphQL at /graphql.',
    },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    },
    methodOverride: true,
    // What is open by default takes a credential, too, where the operator asks for one.
    security: ({ method }) => [...(method === 'GET' ? [{}] : []), { apiKey: [] }, { token: [] }],
    moreOperations: { '/login': loginPath },
  })
  const page = createPage('application/json; charset=utf-8', JSON.stringify(description))
  return createReader((head) => answerPage(head, page))
}
