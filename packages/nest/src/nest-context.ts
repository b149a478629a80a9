import type { Options } from 'graphwire'
import { andThen, isJsonObject } from 'graphwire/base'
import type { NestRequest } from './driver-config.js'

type MakeContext = NonNullable<Options<NestRequest>['context']>

/**
 * The context that Nest needs: an object with `req`, which guards read, and by which Nest finds providers of a request.
 * `make` adds to it.
 */
export function nestContext(make: MakeContext | undefined): MakeContext {
  return (request) => {
    const own = { req: request.head.raw, principal: request.principal }
    if (make === undefined) return own
    return andThen(make(request), (made) => {
      if (isJsonObject(made)) return { ...own, ...made }
      throw new TypeError(
        'GraphwireDriver: expected handler.context to return an object, which gets req and principal.',
      )
    })
  }
}
