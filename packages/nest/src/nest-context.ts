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
      // Of an instance of a class, only the fields would be there.
      const prototype: unknown = isJsonObject(made) ? Object.getPrototypeOf(made) : undefined
      if (prototype === null || prototype === Object.prototype)
        return { ...own, ...(made as object) }
      throw new TypeError(
        'GraphwireDriver: expected handler.context to return a plain object, which gets req and principal.',
      )
    })
  }
}
