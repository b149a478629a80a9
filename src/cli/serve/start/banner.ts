import { relative, resolve } from 'node:path'
import { titleOf } from '../../../conformance/suite/editions.js'
import { readManifest } from '../../../persisted/manifest.js'
import { changedNumbers, type PlannedOptions } from '../flags/apply-plan.js'
import { readPackage } from '../../process/package.js'
import { countOf } from '../../../base/prose.js'
import { describeTerm } from '../../process/layout.js'
import { paint, type Screen } from '../../process/terminal.js'
import { filesOf, type Plan } from '../flags/plan.js'
import { installIde } from './greet-browsers.js'

export type Fact = readonly [name: string, text: string]

export function listFacts(plan: Plan, options: PlannedOptions): readonly Fact[] {
  const { edition, introspection, maxBodyBytes, executionTimeout, maxDepth, maxCost } = options
  const work = `execution ${formatTime(executionTimeout)}, depth ${maxDepth}, cost ${maxCost}`
  const isEmpty = plan.source.kind === 'sdl' && filesOf(plan).length === 1
  const facts = [
    ['schema', `${describeSource(plan)}, ${countTypes(options.schema)}`],
    ['edition', `${titleOf(edition)} (${edition})`],
    ['limits', `body ${formatBytes(maxBodyBytes)}, ${work}`],
    ['not default', describeChanges(options)],
    ['introspection', introspection ? 'on' : 'off'],
    ['execution', describeExecution(options)],
    ['ide', describeIde(plan, options)],
    ['tls', options.tls && describeTls(options.tls)],
    ['documents', describeDocuments(options)],
    ['report only', [options.reportOnly].flat().join(', ')],
    ['docs', readPackage().homepage],
    ['note', isEmpty && 'every field is null: add --resolvers or --data'],
  ] as const
  return facts.flatMap(([name, text]) => (text ? [[name, text] as const] : []))
}

/** The text that a server prints once it listens at the URL, which facts can refer to as `{url}`. */
export function formatBanner(
  version: string,
  facts: readonly Fact[],
  url: string,
  screen: Screen,
): string {
  const lines = facts.flatMap(([name, text]) => {
    const shown = describeTerm(name, text.replace('{url}', url), 14, screen.columns)
    return [shown[0]?.replace(name, () => paint(screen, 'dim', name)), ...shown.slice(1)]
  })
  return [version, ...lines, `listening on ${paint(screen, 'bold', url)}`].join('\n')
}

/** The options whose numbers the limits above show. */
const shownAbove = new Set(['maxBodyBytes', 'executionTimeout', 'maxDepth', 'maxCost'])

/** How many numbers are listed; further ones are only counted. */
const maxListed = 5

/** The other numbers that are not the defaults, such as limits that were raised. */
function describeChanges(options: PlannedOptions): string {
  const changed = changedNumbers(options)
    .filter(({ name }) => !shownAbove.has(name))
    .map(({ name, value }) => `${name} ${value === Infinity ? 'off' : value}`)
  const rest = changed.length - maxListed
  const listed = changed.slice(0, maxListed).join(', ')
  return rest > 0 ? `${listed} and ${rest} more` : listed
}

function describeSource(plan: Plan): string {
  if (plan.source.kind === 'standard') return 'the standard schema'
  return filesOf(plan)
    .map((file) => relative('', resolve(file)))
    .join(' with ')
}

function describeExecution({ execute, execution }: PlannedOptions): string {
  if (execute !== undefined) return 'as the module does'
  return execution === undefined ? 'graphql-js' : 'compiled when used again'
}

function describeIde(plan: Plan, { ide }: PlannedOptions): string {
  if (ide !== undefined) return '{url}'
  return plan.ide.value ? `not installed: ${installIde}` : 'off'
}

function describeTls({ cert, http2 }: NonNullable<PlannedOptions['tls']>): string {
  const protocols = http2 === false ? 'HTTP/1.1' : 'HTTP/2 and HTTP/1.1'
  if (typeof cert !== 'string' && !Buffer.isBuffer(cert)) return protocols
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  const end = new Date(new X509Certificate(cert).validTo)
  const day = end.toISOString().slice(0, 10)
  return `${protocols}, certificate ${end < new Date() ? 'expired' : 'valid until'} ${day}`
}

function describeDocuments({ documents, trustedOnly }: PlannedOptions): string | undefined {
  if (documents === undefined) return undefined
  const texts = readManifest(documents)
  const count = texts === undefined ? 'in a store' : `${texts.size} stored`
  return trustedOnly ? `${count}, no others are executed` : count
}

const builtInScalars = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])

function countTypes(schema: PlannedOptions['schema']): string {
  if (typeof schema === 'function') return 'made for each request'
  const names = Object.keys(schema.getTypeMap())
  const own = names.filter((name) => !name.startsWith('__') && !builtInScalars.has(name))
  return countOf(own.length, 'type')
}

function formatBytes(bytes: number): string {
  if (bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MiB`
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`
}

function formatTime(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
