import type { GraphQLSchema } from 'graphql'
import { isJsonObject } from '../base/json.js'
import { failure, success, type Outcome } from '../base/outcome.js'
import type { Engine } from '../graphql/engine.js'
import { setOperation } from '../handler/stages/operation-stages.js'
import type { Stop } from '../handler/stages/stage.js'
import type { McpExchange } from './mcp-exchange.js'
import type { McpSettings } from './mcp-options.js'
import type { McpRefusal } from './message/mcp-refusals.js'
import { own, type Message, type MessageId } from './message/message.js'
import { statelessVersion, type Version } from './message/versions.js'
import { readArguments } from './tools/read-arguments.js'
import { createToolboxes, type Toolbox } from './tools/toolbox.js'
import { cacheHints, createResultWriter } from './write-result.js'

/** Lists the tools, or finds the one that is called and prepares its operation. */
type ToolStage = (exchange: McpExchange) => Stop<McpRefusal> | undefined

/** Mistakes in the tools throw here, unless the schema is a function. */
export function createToolStage(settings: McpSettings, engine: Engine): ToolStage {
  const toolboxOf = createToolboxes(settings, engine)
  const write = createResultWriter(settings)
  const hints = JSON.stringify(cacheHints(settings)).slice(1)
  return (exchange) => {
    const { id, version, schema } = exchange
    const { method, params } = exchange.message as Message
    const toolbox = toolboxOf(schema as GraphQLSchema)
    if (method === 'tools/call') return prepareCall(toolbox, exchange)
    if ((own(params, 'cursor') ?? undefined) !== undefined) {
      return { kind: 'invalid-params', problem: 'Unknown "cursor": all tools are on one page.' }
    }
    const more = version === statelessVersion ? `,${hints}` : '}'
    return write(id as MessageId, version as Version, `{"tools":${toolbox.list}${more}`)
  }

  function prepareCall({ tools }: Toolbox, exchange: McpExchange): Stop<McpRefusal> | undefined {
    const call = readCall(exchange.message as Message)
    if (!call.ok) return call.reason
    const { name, given } = call.value
    const tool = tools.get(name)
    if (tool === undefined) return { kind: 'unknown-tool', name }
    const { source, document, definition } = tool
    const read = readArguments(given, tool, settings)
    const operation = engine.toOperation(exchange.schema as GraphQLSchema, document, definition, {
      query: source.operation,
      operationName: name,
      variables: read.ok ? read.value : {},
      extensions: undefined,
    })
    setOperation(exchange, operation)
    return read.ok ? undefined : read.reason
  }
}

interface Call {
  readonly name: string
  readonly given: { readonly [name: string]: unknown }
}

function readCall({ params }: Message): Outcome<Call, McpRefusal> {
  const name = own(params, 'name')
  if (typeof name !== 'string') {
    return failure({ kind: 'invalid-params', problem: '"name" must be a string.' })
  }
  const given = own(params, 'arguments') ?? {}
  return isJsonObject(given)
    ? success({ name, given })
    : failure({ kind: 'invalid-params', problem: '"arguments" must be an object.' })
}
