import { relative, resolve } from 'node:path'
import type { PlannedOptions } from './apply-plan.js'
import { filesOf, type Plan } from './plan.js'

/** A line of the banner: what it is about, and what it says. */
export type Fact = readonly [name: string, text: string]

/** What people want to know of a server that has just started. */
export function listFacts(plan: Plan, options: PlannedOptions): readonly Fact[] {
  const { edition, introspection, maxBodyBytes, executionTimeout, maxDepth, maxCost } = options
  const work = `execution ${formatTime(executionTimeout)}, depth ${maxDepth}, cost ${maxCost}`
  const facts: Fact[] = [
    ['schema', `${describeSource(plan)}, ${countTypes(options.schema)}`],
    ['edition', edition],
    ['limits', `body ${formatBytes(maxBodyBytes)}, ${work}`],
    ['introspection', introspection ? 'on' : 'off'],
  ]
  if (options.reportOnly.length > 0) {
    facts.push(['report only', [options.reportOnly].flat().join(', ')])
  }
  if (plan.source.kind === 'sdl' && filesOf(plan).length === 1) {
    facts.push(['note', 'every field is null, for want of --resolvers and --data'])
  }
  return facts
}

/** The lines of the banner. */
export function formatBanner(version: string, facts: readonly Fact[]): string {
  const lines = facts.map(([name, text]) => `  ${name.padEnd(14)} ${text}`)
  return [version, ...lines, ''].join('\n')
}

function describeSource(plan: Plan): string {
  if (plan.source.kind === 'standard') return 'the standard schema'
  return filesOf(plan)
    .map((file) => relative('', resolve(file)))
    .join(' with ')
}

const builtInScalars = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])

function countTypes(schema: PlannedOptions['schema']): string {
  if (typeof schema === 'function') return 'made for each request'
  const names = Object.keys(schema.getTypeMap())
  const own = names.filter((name) => !name.startsWith('__') && !builtInScalars.has(name))
  return `${own.length} ${own.length === 1 ? 'type' : 'types'}`
}

function formatBytes(bytes: number): string {
  if (bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MiB`
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`
}

function formatTime(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
