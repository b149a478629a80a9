import type { IncomingMessage } from 'node:http'
import type { OperationRequest } from 'graphwire'
import type { Principal } from '../access/principal.js'
import type { Store } from '../store/store.js'
import { createLoaders, type Loaders } from './loaders.js'

/** What the resolvers of one request share. */
export interface Context {
  readonly request: OperationRequest<IncomingMessage, Principal>
  readonly store: Store
  readonly loaders: Loaders
  /** Set by `people`: whether more persons follow, which the resource-style answer links to. */
  hasMorePeople: boolean
}

/** Makes the context of a request, with loaders of its own. */
export function createContext(request: Context['request'], store: Store): Context {
  return { request, store, loaders: createLoaders(store.people), hasMorePeople: false }
}
