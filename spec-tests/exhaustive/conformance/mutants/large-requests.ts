import type { Has } from './defects.js'
import { plain, type Request } from './message.js'
import type { Responder } from './serve-connection.js'

/** More than this is large here; no usual case sends it. */
const largeBytes = 400

/** Switches on what goes wrong with large requests and those that come after them. */
export function withLargeRequests(responder: Responder, has: Has): Responder {
  let wasLarge = false
  return (request) => {
    const isNext = wasLarge
    wasLarge = isLarge(request)
    if (wasLarge) return faultOf(has) ?? responder(request)
    if (isNext && has('cut-after-a-large-request')) return Promise.resolve('cut')
    if (isNext && has('unanswered-after-a-large-request')) return new Promise(() => {})
    return responder(request)
  }
}

function isLarge({ pieces }: Request): boolean {
  return pieces.reduce((bytes, piece) => bytes + piece.length, 0) > largeBytes
}

function faultOf(has: Has): ReturnType<Responder> | undefined {
  if (has('large-request-cut')) return Promise.resolve('cut')
  if (has('large-request-unanswered')) return new Promise(() => {})
  if (has('large-request-500')) return Promise.resolve(plain(500, 'A bug.'))
  if (!has('large-request-empty')) return undefined
  return Promise.resolve({ status: 200, headers: {}, body: '' })
}
