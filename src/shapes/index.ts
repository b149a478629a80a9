/*
 * What packages on graphwire are made of, without GraphQL and HTTP: valid values of options, outcomes, frozen data.
 */
export { inThisContext } from '../base/async-context.js'
export { cutText } from '../base/cut-text.js'
export { freezeData, toFrozenCopy } from '../base/frozen-data.js'
export { isJsonObject } from '../base/json.js'
export { nameInWords } from '../base/cut-text.js'
export { failure, success } from '../base/outcome.js'
export { andThen, inTime, isPromise, returnSource } from '../base/promise.js'
export { callApart } from '../base/promise.js'
export { ResumableEvent } from '../base/resumable.js'
export { sha256 } from '../base/sha256.js'
export { Shares } from '../base/shares.js'
export { createSparing } from '../base/sparing.js'
export { bytes, count, milliseconds, resolveNumbers, shapesOf } from './number-row.js'
export { showValue, tagOf } from './show-value.js'
export { suggest } from './suggest.js'
export { checkOptions, checkReturned, listOf, objectOf, recordOf, required } from './shape.js'
export { either } from './shape.js'
export {
  aBoolean,
  aFiniteNumber,
  aFunction,
  anything,
  aString,
  hasMethods,
  headerNames,
  maxInt32,
  names,
  oneOf,
  wholeNumberFrom,
} from './shapes.js'
export type { JsonObject } from '../base/json.js'
export type { Outcome } from '../base/outcome.js'
export type { NumberRow, NumberRows, NumbersOf, Resolved } from './number-row.js'
export type { Shape, Shapes } from './shape.js'
