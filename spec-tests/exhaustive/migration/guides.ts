import { installed } from '../installed.js'
import { root } from '../runtimes/runtime.js'

/** The path of a server: those before a migration are below their packages. */
export function pathOf(file: string): string {
  const folder = file.startsWith('before/') ? installed : `${root}spec-tests/exhaustive/migration/`
  return folder + file
}

/** A guide: its page, its servers, and the packages whose versions it names. */
export interface Guide {
  readonly page: string
  readonly title: string
  readonly before: string
  readonly after: string
  readonly app?: string
  readonly packages: readonly string[]
  /** Where the options of the old server are declared: a file of the installation, and the name of the type. */
  readonly options: readonly (readonly [file: string, type: string])[]
  /** Older versions, which are compared with that of `before`. */
  readonly older?: { readonly [version: string]: string }
}

export const shop = 'after/shop.mjs'

// oxfmt-ignore
export const guides: readonly Guide[] = [
  { page: 'apollo-server', title: 'Apollo Server 5', before: 'before/apollo-server/server.mjs', after: 'after/express.mjs', packages: ['@apollo/server', '@as-integrations/express5', 'graphql'],
    options: [['@apollo/server/dist/esm/externalTypes/constructor.d.ts', 'ApolloServerOptionsBase']],
    older: { 'Apollo Server 3': 'before/apollo-server-3/server.mjs', 'Apollo Server 4': 'before/apollo-server-4/server.mjs' } },
  { page: 'express-graphql', title: 'express-graphql', before: 'before/express-graphql/server.mjs', after: 'after/express-graphql.mjs', packages: ['express-graphql', 'graphql'],
    options: [['express-graphql/index.d.ts', 'OptionsData']] },
  { page: 'graphql-http', title: 'graphql-http', before: 'before/graphql-http/server.mjs', after: 'after/express.mjs', packages: ['graphql-http', 'graphql'],
    options: [['graphql-http/lib/handler.d.ts', 'HandlerOptions']] },
  { page: 'graphql-yoga', title: 'GraphQL Yoga 5', before: 'before/graphql-yoga/server.mjs', after: 'after/graphql-yoga.mjs', packages: ['graphql-yoga', 'graphql'],
    options: [['graphql-yoga/typings/server.d.ts', 'YogaServerOptions']] },
  { page: 'mercurius', title: 'Mercurius', before: 'before/mercurius/server.mjs', after: 'after/mercurius.mjs', packages: ['mercurius', 'fastify', 'graphql'],
    options: [['mercurius/index.d.ts', 'MercuriusCommonOptions'], ['mercurius/index.d.ts', 'MercuriusSchemaOptions']] },
  { page: 'nestjs', title: 'NestJS with Apollo', before: 'nestjs/before.ts', after: 'nestjs/after.ts', app: 'nestjs/shop.ts', packages: ['@nestjs/graphql', '@nestjs/apollo', '@apollo/server', 'graphql'],
    options: [['@nestjs/graphql/dist/interfaces/gql-module-options.interface.d.ts', 'GqlModuleOptions'], ['@nestjs/apollo/dist/interfaces/apollo-driver-config.interface.d.ts', 'ApolloDriverConfig']] },
]
