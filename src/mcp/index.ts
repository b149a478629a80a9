export { createMcpHandler } from './mcp-handler.js'
export type { McpInfo, McpOptions } from './mcp-options.js'
export type { Tool, ToolSource } from './tools/tool.js'
