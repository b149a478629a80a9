import {
  type JsonObject,
  objectOf,
  recordOf,
  required,
  type Shape,
  aBoolean,
  aString,
  wholeNumberFrom,
} from 'graphwire/base'
import { createCors } from 'graphwire/http'
import type { ScalarSchemas } from '@graphwire/json-schema'
import {
  optionShapes,
  resolveOptions,
  type Settings,
  surfaceShapes,
  type SurfaceOptions,
} from 'graphwire/surface/parts'
import type { Options } from 'graphwire'
import { toolsShape, type ToolSource } from './tools/tool.js'

/** The name and version of the server, for clients. */
export interface McpInfo {
  readonly name: string
  readonly version: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly websiteUrl?: string | undefined
}

/** The options of `createMcpHandler`: those of `createHandler`, and the tools. */
export interface McpOptions<Raw = unknown, Principal = unknown>
  extends SurfaceOptions<Raw, Principal>, Pick<Options, 'path' | 'credentialsFirst'> {
  /** The tools: documents with named operations, listed in this order. */
  readonly tools: readonly ToolSource[]
  /** Name and version of the server. */
  readonly info: McpInfo
  /** How to use the tools, for the model. Default: none. */
  readonly instructions?: string | undefined
  /** Whether tools may be mutations. Default: false. */
  readonly mutations?: boolean | undefined
  /** The JSON Schemas of custom scalars by name. Default: any value. */
  readonly scalars?: ScalarSchemas | undefined
  /** How long clients may keep the list of tools, in milliseconds. Default: 300,000. */
  readonly toolsTtl?: number | undefined
}

/** The options with all defaults filled in. */
export interface McpSettings extends Settings, Pick<McpOptions, 'tools' | 'info'> {
  readonly instructions: string | undefined
  readonly mutations: boolean
  readonly scalars: ScalarSchemas
  readonly toolsTtl: number
  /** Whether the tools can differ between callers, or need credentials. */
  readonly isPrivate: boolean
}

/** The valid values of each option. An option without a row does not compile. */
export const mcpShape: Shape = objectOf<McpOptions>('{ schema, tools, info }', {
  ...surfaceShapes,
  path: optionShapes.path,
  credentialsFirst: optionShapes.credentialsFirst,
  tools: required(toolsShape),
  info: required(
    objectOf<McpInfo>('{ name, version }', {
      name: required(aString),
      version: required(aString),
      title: aString,
      description: aString,
      websiteUrl: aString,
    }),
  ),
  instructions: aString,
  mutations: aBoolean,
  scalars: recordOf(
    '{ DateTime: { type: "string" } }',
    objectOf<JsonObject>('a JSON Schema', {}, { isOpen: true }),
  ),
  toolsTtl: wholeNumberFrom(0, 86_400_000),
})

const fiveMinutes = 300_000

/** Fills in the defaults of options that are already checked. */
export function resolveMcpOptions<Raw, Principal>(
  options: McpOptions<Raw, Principal>,
): McpSettings {
  const shared = resolveOptions('createMcpHandler', options)
  const { tools, info, instructions } = options
  return {
    ...shared,
    cors: createCors(options.cors, () => 'POST'),
    tools,
    info,
    instructions,
    mutations: options.mutations ?? false,
    scalars: options.scalars ?? {},
    toolsTtl: options.toolsTtl ?? fiveMinutes,
    isPrivate: shared.authenticate !== undefined || typeof options.schema === 'function',
  }
}
