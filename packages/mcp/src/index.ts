export { createMcpHandler } from './mcp-road.js'
export { describeMcpRefusal, mcpRefusals } from './message/mcp-refusals.js'
export type { McpInfo, McpOptions } from './mcp-options.js'
export type { Tool, ToolSource } from './tools/tool.js'
