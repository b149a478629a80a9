import { AbstractGraphQLDriver, type GqlModuleOptions } from '@nestjs/graphql'
import type { Request } from 'express'
import * as graphql from 'graphql'
import { createHandler, type Options } from 'graphwire'
import { toNodeListener } from 'graphwire/node'

export interface GraphwireDriverConfig extends GqlModuleOptions {
  /** The other options of `createHandler`. */
  readonly handler?: Omit<Options<Request>, 'schema' | 'graphql' | 'path'>
}

/** Serves the schema of Nest's resolvers with graphwire, on Nest's Express. */
export class GraphwireDriver extends AbstractGraphQLDriver<GraphwireDriverConfig> {
  async start({ schema, path = '/graphql', handler }: GraphwireDriverConfig): Promise<void> {
    if (schema === undefined) throw new Error('The module has no schema.')
    // Express removes the path of `use` from the target, and also serves what is below it: only '/' is ours.
    const listener = toNodeListener(createHandler({ ...handler, schema, graphql, path: '/' }))
    this.httpAdapterHost.httpAdapter.use(path, listener)
  }

  async stop(): Promise<void> {}
}
