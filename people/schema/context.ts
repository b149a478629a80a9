import type { IncomingMessage } from 'node:http'
import type { OperationRequest } from 'graphwire'
import type { Principal } from '../access/principal.js'
import type { Store } from '../store/store.js'
import type { Loaders } from './loaders.js'

/** What the resolvers of one request share. */
export interface Context {
  readonly request: OperationRequest<IncomingMessage, Principal>
  readonly store: Store
  readonly loaders: Loaders
  /** Set by `people`: whether more persons follow, which the resource-style answer links to. */
  hasMorePeople: boolean
}
