// oxfmt-ignore
import { both, header, isMap, response, result, status, textOf, without, type Params } from './around.js'
import type { DefectTable, Layers } from './defect.js'

const hasData = (made: Params): boolean => 'data' in made && made['data'] !== null
const succeeded = (change: Params): Layers =>
  result((made) => ('errors' in made ? made : { ...made, ...change }))
const failed = (change: (made: Params) => unknown): Layers =>
  result((made) => ('errors' in made ? change(made) : made))

/** Another form of each error. */
function errors(change: (error: Params) => unknown): Layers {
  return failed((made) => ({ ...made, errors: (made['errors'] as Params[]).map(change) }))
}

/** Another value of an entry of each error that has it. */
const entry = (name: string) => (change: (list: readonly unknown[]) => unknown) =>
  errors((error) => {
    return name in error ? { ...error, [name]: change(error[name] as unknown[]) } : error
  })
const withPath = entry('path')
const withLocations = entry('locations')

/** Another status of results with errors, by what beside them is data. */
const beside = (test: (made: Params) => boolean, to: number): Layers =>
  response((made) => {
    const read: unknown = textOf(made).startsWith('{') ? JSON.parse(textOf(made)) : undefined
    return isMap(read) && 'errors' in read && test(read) ? { status: to } : undefined
  })

/** Defects in the result and in the status for it. */
// oxfmt-ignore
export const resultDefects: DefectTable = {
  'success-202': ['Data without errors is 202.', 'core.post', status(200, 202)],
  'request-errors-200': ['A request error is 200.', 'errors.syntax errors.validation.unknown-field invariant.status.no-data', status([400, 422], 200)],
  'request-errors-with-null-data': ['A request error has "data": null.', 'errors.syntax errors.validation.unknown-field', failed((made) => ({ data: null, ...made }))],
  'partial-data-200': ['Data beside errors is 200.', 'get.partial errors.field.beside', beside(hasData, 200)],
  'partial-data-400': ['Data beside errors is 400.', 'get.partial invariant.status.data', beside(hasData, 400)],
  'partial-data-dropped': ['Data beside errors is dropped.', 'errors.field.mutation invariant.status.no-data',
    both(status(294, 200), failed(({ errors: all }) => ({ errors: all })))],
  'null-data-500': ['Null data beside errors is 500.', 'errors.data-null errors.legacy.data-null', beside((made) => made['data'] === null, 500)],
  'errors-empty-on-success': ['A result without errors has "errors": [].', 'core.execute.fields invariant.errors.none', succeeded({ errors: [] })],
  'errors-null-on-success': ['A result without errors has "errors": null.', 'core.execute.fields invariant.errors.none', succeeded({ errors: null })],
  'errors-as-a-map': ['errors is the first error, not a list.', 'errors.syntax invariant.errors', failed((made) => ({ ...made, errors: (made['errors'] as unknown[])[0] }))],
  'errors-missing': ['Field errors are not told.', 'errors.field.mutation invariant.errors.data-null', failed(({ errors: all, ...made }) => ('data' in made ? made : { ...made, errors: all }))],
  'extra-top-level-key': ['A result has another key beside data, errors and extensions.', 'invariant.keys', succeeded({ took: 1 })],
  'extensions-as-a-list': ['extensions of a result is a list.', 'invariant.extensions', result((made) => ({ ...made, extensions: [] }))],
  'error-extensions-as-a-string': ['extensions of an error is a string.', 'invariant.extensions', errors((error) => ({ ...error, extensions: 'none' }))],
  'byte-order-mark': ['A byte order mark precedes the JSON.', 'invariant.byte-order-mark', response((made) => ({ body: `\uFEFF${textOf(made)}` }))],
  'error-as-a-string': ['An error is a string.', 'errors.syntax invariant.errors.message', errors(({ message }) => message)],
  'message-missing': ['An error has no message.', 'errors.syntax invariant.errors.message', errors((error) => ({ ...error, message: undefined }))],
  'message-not-a-string': ['The message of an error is a map.', 'errors.syntax invariant.errors.message', errors((error) => ({ ...error, message: { text: error['message'] } }))],
  'locations-from-zero': ['Lines and columns count from 0.', 'invariant.errors.locations', withLocations((all) => all.map(() => ({ line: 0, column: 0 })))],
  'locations-as-a-map': ['locations is a map, not a list.', 'errors.field.null invariant.errors.locations', withLocations(([first]) => first)],
  'path-as-a-string': ['path is a string with dots.', 'errors.field invariant.errors.path', withPath((path) => path.join('.'))],
  'path-missing': ['A field error has no path.', 'errors.field errors.data-null.standard', withPath(() => undefined)],
  'path-of-one-more': ['path goes one step too far.', 'errors.field errors.data-null.standard', withPath((path) => [...path, 'more'])],
  'path-with-null': ['path has a null.', 'errors.field invariant.errors.path', withPath(() => [null])],
  'content-type-missing': ['A response has no Content-Type.', 'core.post invariant.content-type', without('content-type')],
  'content-type-is-text': ['A response is labelled text/plain.', 'accept.graphql-response accept.any', header('content-type', () => 'text/plain; charset=utf-8')],
  'charset-of-another-coding': ['A response in UTF-8 is labelled as Latin-1.', 'invariant.charset', header('content-type', (value) => value?.replace(/utf-8/i, 'iso-8859-1'))],
  'charset-missing': ['A response does not declare its charset.', 'invariant.charset', header('content-type', (value) => value?.replace(/;.*/, ''))],
}
