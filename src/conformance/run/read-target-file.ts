import { cutText } from '../../base/cut-text.js'
import { isJsonObject } from '../../base/json.js'
import { editionNames, findEdition } from '../suite/editions.js'
import type { FieldLine } from '../wire/exchange.js'
import type { KnownFailures } from './known-failures.js'
import type { ConformanceOptions } from './run.js'
import { parseFile } from '../suite/report.js'
import { toTarget } from '../wire/target.js'

/** The file in which a project describes its target (fixtures/meta/target.schema.json). */
export type TargetFile = Partial<
  Pick<ConformanceOptions, 'url' | 'edition' | 'standard' | 'capabilities' | 'headers'> &
    Pick<ConformanceOptions, 'knownFailures' | 'insecure' | 'timeout'>
>

/** Reads a target file; throws a TypeError that names everything that is wrong with it. */
export function readTargetFile(text: string): TargetFile {
  const json = parseFile(text)
  if (!isJsonObject(json)) throw new TypeError(`expected a JSON object, such as ${example}`)
  const problems: string[] = []
  const entries = Object.entries(json).flatMap(([name, value]) => {
    if (name === '$schema') return []
    const member = Object.hasOwn(members, name) ? members[name as keyof TargetFile] : undefined
    const read = member?.read(value)
    if (read !== undefined) return [[name, read] as const]
    problems.push(
      member === undefined
        ? `unknown member ${JSON.stringify(name)}: expected some of ${memberNames}`
        : `${name}: expected ${member.expected}, found ${show(value)}`,
    )
    return []
  })
  if (problems.length > 0) throw new TypeError(problems.join('\n'))
  return Object.fromEntries(entries)
}

interface TargetMember<Value> {
  readonly expected: string
  read(json: unknown): Value | undefined
}

type TargetMembers = {
  readonly [Name in keyof TargetFile]-?: TargetMember<NonNullable<TargetFile[Name]>>
}

const example = '{ "url": "http://localhost:4000/graphql", "standard": false }'

const flag: TargetMember<boolean> = {
  expected: 'true or false',
  read: (json) => (typeof json === 'boolean' ? json : undefined),
}

const members: TargetMembers = {
  url: {
    expected:
      'an http or https URL without credentials and parameters of GraphQL, such as "http://localhost:4000/graphql"',
    read: (json) => (typeof json === 'string' && isTarget(json) ? json : undefined),
  },
  edition: {
    expected: `one of ${editionNames.map((name) => JSON.stringify(name)).join(', ')}`,
    read: (json) => (typeof json === 'string' ? findEdition(json) : undefined),
  },
  standard: flag,
  capabilities: {
    expected: 'a list of names such as ["get", "mutationType"]',
    read: (json) => (Array.isArray(json) && json.every(isText) ? json : undefined),
  },
  headers: {
    expected: 'names with their values, such as { "authorization": "Bearer abc" }',
    read: readHeaders,
  },
  knownFailures: {
    expected:
      'a list such as [{ "id": "get.mutation.refused", "reason": "issue 12" }] without repeated ids',
    read: readKnown,
  },
  insecure: flag,
  timeout: {
    expected: 'a whole number of milliseconds from 1 to 60000',
    read: (json) =>
      Number.isInteger(json) && Number(json) >= 1 && Number(json) <= 60_000
        ? Number(json)
        : undefined,
  },
}

const memberNames = Object.keys(members).join(', ')

function readHeaders(json: unknown): readonly FieldLine[] | undefined {
  if (!isJsonObject(json)) return undefined
  const entries = Object.entries(json)
  const lines = entries.flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  )
  return lines.every(isFieldLine) ? lines : undefined
}

/** Whether a name and a value can be sent as a field line (RFC 9110 section 5). */
function isFieldLine(line: readonly [name: string, value: unknown]): line is FieldLine {
  const [name, value] = line
  return (
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
    typeof value === 'string' &&
    /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)
  )
}

function readKnown(json: unknown): KnownFailures | undefined {
  if (!Array.isArray(json)) return undefined
  const entries = json.flatMap((one: unknown) => {
    if (!isJsonObject(one) || Object.keys(one).length !== 2) return []
    const { id, reason } = one
    return isText(id) && isText(reason) ? [[id, reason] as const] : []
  })
  const knownFailures = new Map(entries)
  return knownFailures.size === json.length ? knownFailures : undefined
}

function isTarget(url: string): boolean {
  try {
    toTarget(url)
    return true
  } catch {
    return false
  }
}

function isText(json: unknown): json is string {
  return typeof json === 'string' && json !== ''
}

function show(json: unknown): string {
  return cutText(JSON.stringify(json).replace(/\/\/[^/@]*@/, '//(hidden)@'), 80)
}
