import { HttpException, HttpStatus } from '@nestjs/common'
import { GraphQLError } from 'graphql'
import { defineExtension, type AnyExtension } from 'graphwire'
import { isJsonObject, isPromise } from 'graphwire/base'

/**
 * Shows clients an `HttpException` that guards, pipes and resolvers throw: its message, and a code by its status. Those of a
 * 5xx, and all other errors, stay masked.
 */
export const httpExceptions: AnyExtension = defineExtension({
  name: 'nest',
  wrapField({ field, kind }, resolve) {
    if (kind === 'resolve' && field.resolve == null) return undefined
    return (source, args, context, info) => {
      try {
        const value = resolve(source, args, context, info)
        return isPromise(value) ? value.then(rethrowReturned, rethrow) : rethrowReturned(value)
      } catch (error) {
        return rethrow(error)
      }
    }
  },
})

/** Codes that graphwire gives to the same statuses; others are the names of statuses, such as `PAYMENT_REQUIRED`. */
const codes: { readonly [status: number]: string } = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  422: 'BAD_USER_INPUT',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
}

/** GraphQL treats a returned error as thrown; the exception filters of Nest's documentation return it. */
function rethrowReturned(value: unknown): unknown {
  return value instanceof HttpException ? rethrow(value) : value
}

function rethrow(error: unknown): never {
  if (!(error instanceof HttpException)) throw error
  const status = error.getStatus()
  if (status >= 500 && status !== 503) throw error
  const code = codes[status] ?? HttpStatus[status] ?? 'REFUSED'
  const response = error.getResponse()
  // The faults that pipes found, one text each.
  const details =
    isJsonObject(response) && Array.isArray(response['message']) && response['message']
  throw new GraphQLError(error.message, {
    extensions: { code, ...(details && { details }) },
  })
}
