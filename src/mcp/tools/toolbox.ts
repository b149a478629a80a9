import type { GraphQLSchema } from 'graphql'
import type { Engine } from '../../graphql/engine.js'
import type { ScalarSchemas } from '../../json-schema/named-schemas.js'
import { describeTool } from './describe-tool.js'
import { checkTool, mistake, planSource, type PlannedTool } from './plan-tool.js'
import type { ToolSource } from './tool.js'

/** The tools for a schema. */
export interface Toolbox {
  readonly tools: ReadonlyMap<string, PlannedTool>
  /** Their descriptions as a JSON list, in the order of the option. */
  readonly list: string
}

interface ToolboxSettings {
  readonly tools: readonly ToolSource[]
  readonly mutations: boolean
  readonly scalars: ScalarSchemas
  readonly schema: GraphQLSchema | ((...input: never[]) => unknown)
}

/** All tools are planned when a schema is first seen, so that mistakes are reported then, and once. */
export function createToolboxes(
  settings: ToolboxSettings,
  engine: Pick<Engine, 'findDocument'>,
): (schema: GraphQLSchema) => Toolbox {
  const boxes = new WeakMap<GraphQLSchema, Toolbox>()
  const find = (schema: GraphQLSchema): Toolbox => {
    const box = boxes.get(schema) ?? planTools(settings, schema, engine)
    boxes.set(schema, box)
    return box
  }
  if (typeof settings.schema !== 'function') find(settings.schema)
  return find
}

function planTools(
  settings: ToolboxSettings,
  schema: GraphQLSchema,
  engine: Pick<Engine, 'findDocument'>,
): Toolbox {
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
