import { beginExchange, type Exchange } from '../handler/stages/exchange.js'
import type { Stage } from '../handler/stages/stage.js'
import type { RequestHead } from '../http/message.js'
import type { McpRefusal } from './message/mcp-refusals.js'
import type { Message, MessageId } from './message/message.js'
import type { Version } from './message/versions.js'

/** A message of a client on its way to its response. */
export interface McpExchange extends Exchange {
  /** The id to answer with; undefined until it is read, and for notifications. */
  id: MessageId | undefined
  /** Undefined until it is read and checked. */
  message: Message | undefined
  /** The version of the protocol that the message speaks. */
  version: Version | undefined
}

/** One step of a message. */
export type McpStage = Stage<McpExchange, McpRefusal>

export function beginMcpExchange(head: RequestHead, startedAt: number): McpExchange {
  return Object.assign(beginExchange(head, startedAt, undefined), {
    id: undefined,
    message: undefined,
    version: undefined,
  })
}
