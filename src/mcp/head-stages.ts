import { fieldValue, type HttpResponse } from '../http/message.js'
import { chooseType } from '../http/negotiate.js'
import { memo } from '../http/memo.js'
import { pathOf } from '../http/target.js'
import { createContentCheck, isOwn } from '../over-http/request/check-head.js'
import type { McpSettings } from './mcp-options.js'
import type { McpStage } from './mcp-exchange.js'
import { allowedMethods } from './message/mcp-refusals.js'

/**
 * Refuses pages of other sites, whatever they ask for. That the origin is the host of the request is not enough: an
 * attacker can let their own name lead to this server, and the page then has the same name in both.
 */
export function createOriginStage({ cors }: McpSettings): McpStage {
  return ({ head: { headers } }) => {
    const origin = fieldValue(headers, 'origin')
    if (origin === undefined || cors.allows(origin)) return undefined
    const host = fieldValue(headers, 'host')
    return isOwn(origin, host) && isFixed(host as string)
      ? undefined
      : { kind: 'foreign-origin', origin }
  }
}

/** Whether nobody else decides where a host leads: an address, or `localhost`. */
function isFixed(host: string): boolean {
  return /^(?:\[[\da-f:.]+\]|\d+(?:\.\d+){3}|(?:[\w-]+\.)*localhost)(?::\d+)?$/i.test(host)
}

const described: HttpResponse = {
  status: 204,
  headers: ['Allow', allowedMethods, 'X-Content-Type-Options', 'nosniff'],
  body: '',
}

/** Responds to OPTIONS, and refuses other paths, and other methods than POST. */
export function createMethodStages({ path }: McpSettings): {
  readonly describeMethods: McpStage
  readonly requestLine: McpStage
} {
  const isElsewhere = (target: string): boolean =>
    path !== undefined && target !== path && pathOf(target) !== path
  return {
    describeMethods({ head: { method, target } }) {
      if (method !== 'OPTIONS') return undefined
      // RFC 9110 section 9.3.7: `*` is the server as a whole.
      return target !== '*' && isElsewhere(target)
        ? { kind: 'not-found', path: pathOf(target) }
        : described
    },
    requestLine(exchange) {
      const { method, target } = exchange.head
      if (isElsewhere(target)) return { kind: 'not-found', path: pathOf(target) }
      if (method !== 'POST') return { kind: 'only-post', method }
      exchange.hasBody = true
      return undefined
    },
  }
}

/** Responses are never streams, which a client must accept too: that is not required. */
export function createAcceptStage(): McpStage {
  const acceptsJson = memo((accept) => chooseType(accept, ['application/json']) !== undefined)
  return ({ head }) =>
    acceptsJson(fieldValue(head.headers, 'accept')) ? undefined : { kind: 'json-not-accepted' }
}

export function createContentStage(settings: McpSettings): McpStage {
  const checkContent = createContentCheck(settings)
  return ({ head }) => checkContent(head)
}
