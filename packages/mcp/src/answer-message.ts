import type { HttpResponse } from 'graphwire/http'
import type { McpSettings } from './mcp-options.js'
import { accepted, cacheHints, createResultWriter } from './mcp-surface.js'
import type { McpRefusal } from './message/mcp-refusals.js'
import { own, type Message } from './message/message.js'
import { agreeOn, statelessVersion, versions, type Version } from './message/versions.js'

/** Whether a message is about the tools, so that its answer depends on the schema. */
export function takesTools({ id, method }: Message): boolean {
  return id !== undefined && (method === 'tools/list' || method === 'tools/call')
}

/** Answers the messages that are not about tools. */
export type Answer = (message: Message, version: Version) => HttpResponse | McpRefusal

export function createAnswers(settings: McpSettings): Answer {
  const { info, instructions } = settings
  const write = createResultWriter(settings)
  const capabilities = { tools: {} }
  const discovered = JSON.stringify({
    supportedVersions: versions,
    capabilities,
    instructions,
    ...cacheHints(settings),
  })
  return ({ id, method, params }, version) => {
    // Nothing here depends on notifications, such as those of the handshake; unknown ones are ignored.
    if (id === undefined) return accepted
    const unknown: McpRefusal = { kind: 'unknown-method', method }
    if (version === statelessVersion) {
      return method === 'server/discover' ? write(id, version, discovered) : unknown
    }
    if (method === 'ping') return write(id, version, '{}')
    if (method !== 'initialize') return unknown
    const requested = own(params, 'protocolVersion')
    if (typeof requested !== 'string') {
      return { kind: 'invalid-params', problem: '"protocolVersion" must be a string.' }
    }
    const protocolVersion = agreeOn(requested)
    const result = { protocolVersion, capabilities, serverInfo: info, instructions }
    return write(id, version, JSON.stringify(result))
  }
}
