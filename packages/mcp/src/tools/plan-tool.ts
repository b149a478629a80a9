import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { cutText } from 'graphwire/base'
import type { ValidDocument, Engine } from 'graphwire/surface/parts'
import type { Tool, ToolSource } from './tool.js'

/** A tool for a schema, ready to be called. */
export interface PlannedTool {
  readonly name: string
  readonly source: Tool
  readonly document: ValidDocument
  readonly definition: OperationDefinitionNode
  /** The names of its variables, which are those of its arguments. */
  readonly parameters: ReadonlySet<string>
}

/** The tools of a document: its operations; exactly one if the tool has members of its own. */
export function planSource(
  source: ToolSource,
  schema: GraphQLSchema,
  engine: Engine,
): readonly PlannedTool[] {
  const tool = typeof source === 'string' ? { operation: source } : source
  const found = engine.checkOwnDocument(schema, tool.operation)
  if (!found.ok) {
    const messages = found.reason.errors.map(({ message }) => message)
    throw mistake(startOf(tool), `it is not valid for the schema: ${messages.join(' ')}`)
  }
  const { operations } = found.value
  if (operations.length === 0) throw mistake(startOf(tool), 'it has no operation')
  if (typeof source !== 'string' && operations.length > 1) {
    throw mistake(
      startOf(tool),
      'it must have exactly one operation; others are tools of their own',
    )
  }
  return operations.map((definition) => {
    const name = definition.name?.value
    if (name === undefined) {
      throw mistake(startOf(tool), 'its operation needs a name, which becomes that of the tool')
    }
    const variables = definition.variableDefinitions ?? []
    const parameters = new Set(variables.map(({ variable }) => variable.name.value))
    return { name, source: tool, document: found.value, definition, parameters }
  })
}

/** MCP says that longer names should not be used. */
const maxNameLength = 128

/** Throws if the operation cannot be a tool. */
export function checkTool({ name, definition, source }: PlannedTool, mutations: boolean): void {
  const { operation } = definition
  if (name.length > maxNameLength) {
    throw mistake(name, `a name must not be longer than ${maxNameLength} characters`)
  }
  if (operation === 'subscription') {
    throw mistake(name, 'a tool has one result, so it cannot be a subscription')
  }
  if (operation === 'mutation' && !mutations) {
    throw mistake(name, 'it is a mutation; set mutations: true to let clients change data')
  }
  if (operation === 'query' && source.destructive !== undefined) {
    throw mistake(name, 'destructive is for mutations: a query changes nothing')
  }
}

function startOf({ operation }: Tool): string {
  return cutText(operation.trim().replaceAll(/\s+/g, ' '), 60)
}

/** The error of a misconfigured tool: which one it is, and what is wrong. */
export function mistake(tool: string, what: string): TypeError {
  return new TypeError(`Tool ${JSON.stringify(tool)}: ${what.replace(/\.?$/, '.')}`)
}
