import type { Has } from './defects.js'
import { plain, type Request } from './message.js'
import type { Answer } from './serve-connection.js'

/** More than this is large here; no usual case sends it. */
const largeBytes = 400

/** Switches on what goes wrong with large requests and those that come after them. */
export function withLargeRequests(answer: Answer, has: Has): Answer {
  let wasLarge = false
  return (request) => {
    const isNext = wasLarge
    wasLarge = isLarge(request)
    if (wasLarge) return faultOf(has) ?? answer(request)
    if (isNext && has('cut-after-a-large-request')) return Promise.resolve('cut')
    if (isNext && has('unanswered-after-a-large-request')) return new Promise(() => {})
    return answer(request)
  }
}

function isLarge({ pieces }: Request): boolean {
  return pieces.reduce((bytes, piece) => bytes + piece.length, 0) > largeBytes
}

function faultOf(has: Has): ReturnType<Answer> | undefined {
  if (has('large-request-cut')) return Promise.resolve('cut')
  if (has('large-request-unanswered')) return new Promise(() => {})
  if (has('large-request-500')) return Promise.resolve(plain(500, 'A bug.'))
  if (!has('large-request-empty')) return undefined
  return Promise.resolve({ status: 200, headers: {}, body: '' })
}
