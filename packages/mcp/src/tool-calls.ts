import type { GraphQLSchema } from 'graphql'
import {
  cutText,
  isJsonObject,
  type JsonObject,
  failure,
  success,
  type Outcome,
} from 'graphwire/base'
import {
  planPerSchema,
  type Engine,
  type RequestError,
  type Operation,
} from 'graphwire/surface/parts'
import type { HttpResponse } from 'graphwire/http'
import type { McpSettings } from './mcp-options.js'
import { cacheHints, createResultWriter } from './mcp-surface.js'
import type { McpRefusal } from './message/mcp-refusals.js'
import { own, type Message, type MessageId } from './message/message.js'
import { statelessVersion, type Version } from './message/versions.js'
import { describeTool } from './tools/describe-tool.js'
import { checkTool, mistake, planSource, type PlannedTool } from './tools/plan-tool.js'

/** The tools of each schema. */
export class ToolCalls {
  readonly #toolboxOf: (schema: GraphQLSchema) => Toolbox
  readonly #write: ReturnType<typeof createResultWriter>
  readonly #hints: string
  readonly #settings: McpSettings
  readonly #engine: Engine

  /** Mistakes in the tools throw here, unless the schema is a function. */
  constructor(settings: McpSettings, engine: Engine) {
    this.#settings = settings
    this.#engine = engine
    this.#toolboxOf = planPerSchema(settings, (schema) => planTools(settings, schema, engine))
    this.#write = createResultWriter(settings)
    this.#hints = JSON.stringify(cacheHints(settings)).slice(1)
  }

  /** Answers `tools/list`. */
  list(
    { id, params }: Message,
    version: Version,
    schema: GraphQLSchema,
  ): HttpResponse | McpRefusal {
    if ((own(params, 'cursor') ?? undefined) !== undefined) {
      return { kind: 'invalid-params', problem: 'Unknown "cursor": all tools are on one page.' }
    }
    const more = version === statelessVersion ? `,${this.#hints}` : '}'
    const { list } = this.#toolboxOf(schema)
    return this.#write(id as MessageId, version, `{"tools":${list}${more}`)
  }

  /** The operation of `tools/call`, and why its arguments are refused, if so. */
  prepare({ params }: Message, schema: GraphQLSchema): Outcome<PreparedCall, McpRefusal> {
    const name = own(params, 'name')
    if (typeof name !== 'string') return invalidParams('"name" must be a string.')
    const given = own(params, 'arguments') ?? {}
    if (!isJsonObject(given)) return invalidParams('"arguments" must be an object.')
    const tool = this.#toolboxOf(schema).tools.get(name)
    if (tool === undefined) return failure({ kind: 'unknown-tool', name })
    const { source, document, definition } = tool
    const read = readArguments(given, tool, this.#settings)
    const operation = this.#engine.toOperation(schema, document, definition, {
      query: source.operation,
      operationName: name,
      variables: read.ok ? read.value : {},
      extensions: undefined,
    })
    return success({ operation, error: read.ok ? undefined : read.reason })
  }
}

function invalidParams(problem: string): Outcome<never, McpRefusal> {
  return failure({ kind: 'invalid-params', problem })
}

interface PreparedCall {
  readonly operation: Operation
  readonly error: RequestError | undefined
}

/**
 * The variables of a call: its arguments, whose values are checked when they are coerced. Unlike in GraphQL, unknown names
 * are errors, so that a model learns that it misspelled an argument.
 */
function readArguments(
  given: JsonObject,
  { parameters }: PlannedTool,
  { maxErrors }: { readonly maxErrors: number },
): Outcome<JsonObject, RequestError> {
  const unknown = Object.keys(given).filter((name) => !parameters.has(name))
  if (unknown.length === 0) return success(given)
  const errors = unknown.slice(0, maxErrors).map((name) => ({
    message: `Unknown argument ${JSON.stringify(cutText(name, 100))}.`,
  }))
  return failure({ kind: 'variables', errors })
}

/** The tools for a schema. */
interface Toolbox {
  readonly tools: ReadonlyMap<string, PlannedTool>
  /** Their descriptions as a JSON list, in the order of the option. */
  readonly list: string
}

function planTools(settings: McpSettings, schema: GraphQLSchema, engine: Engine): Toolbox {
  const tools = new Map<string, PlannedTool>()
  for (const source of settings.tools) {
    for (const tool of planSource(source, schema, engine)) {
      checkTool(tool, settings.mutations)
      if (tools.has(tool.name)) throw mistake(tool.name, 'there are two operations of this name')
      tools.set(tool.name, tool)
    }
  }
  const described = [...tools.values()].map((tool) => describeTool(tool, schema, settings.scalars))
  return { tools, list: JSON.stringify(described) }
}
