import type { Has } from './defects.js'

type ErrorEntry = Readonly<Record<string, unknown>>
type Result = Readonly<Record<string, unknown>>

/** Breaks the format of a result (GraphQL specification section 7) where a defect says so. */
export function misformat(result: Result, has: Has): Result {
  if (has('extensions-as-a-list')) return { ...result, extensions: [] }
  const errors = result['errors'] as readonly ErrorEntry[] | undefined
  if (errors === undefined) {
    if (has('errors-empty-on-success')) return { ...result, errors: [] }
    if (has('errors-null-on-success')) return { ...result, errors: null }
    return has('extra-top-level-key') ? { ...result, took: 1 } : result
  }
  if (has('errors-as-a-map')) return { ...result, errors: errors[0] }
  if (has('errors-missing') && 'data' in result) return { data: result['data'] }
  return { ...result, errors: errors.map((error) => misformatError(error, has)) }
}

function misformatError(error: ErrorEntry, has: Has): ErrorEntry | string {
  const { message, locations, path } = error
  if (has('error-as-a-string')) return String(message)
  if (has('message-missing')) return { ...error, message: undefined }
  if (has('message-not-a-string')) return { ...error, message: { text: message } }
  if (has('locations-from-zero') && Array.isArray(locations)) {
    return { ...error, locations: locations.map(() => ({ line: 0, column: 0 })) }
  }
  if (has('locations-as-a-map') && Array.isArray(locations)) {
    return { ...error, locations: locations[0] as unknown }
  }
  if (has('error-extensions-as-a-string')) return { ...error, extensions: 'none' }
  if (path === undefined) return error
  if (has('path-as-a-string')) return { ...error, path: (path as string[]).join('.') }
  if (has('path-missing')) return { ...error, path: undefined }
  if (has('path-of-one-more')) return { ...error, path: [...(path as string[]), 'more'] }
  return has('path-with-null') ? { ...error, path: [null] } : error
}
