import type { RequestHead } from './http/message.js'
import { failure, type Outcome } from './outcome.js'
import type { Refusal } from './refusal.js'
import { checkGet } from './request/check-get.js'
import { checkRequestLine, createContentCheck, type Carrier } from './request/check-head.js'
import type { Encoding } from './response/choose-encoding.js'
import type { Settings } from './settings.js'

/** Says how a request carries its parameters, or why it is not wanted; cheapest refusal first. */
export type WantedCheck = (head: RequestHead, encoding: Encoding) => Outcome<Carrier, Refusal>

/** Makes the check of what the head asks for, before its body: path, method, `Accept`, content, origin. */
export function createWantedCheck(settings: Settings): WantedCheck {
  const checkContent = createContentCheck(settings)
  return (head, encoding) => {
    const carrier = checkRequestLine(head, settings)
    if (!carrier.ok || carrier.value === 'none') return carrier
    if (!encoding.acceptable) return failure({ kind: 'not-acceptable' })
    const unwanted = carrier.value === 'body' ? checkContent(head) : checkGet(head, settings)
    return unwanted ? failure(unwanted) : carrier
  }
}
