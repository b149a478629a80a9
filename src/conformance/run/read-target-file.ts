import {
  checkReturned,
  either,
  listOf,
  objectOf,
  recordOf,
  required,
  type Shape,
} from '../../shapes/shape.js'
import { aBoolean, anything, aString, wholeNumberFrom } from '../../shapes/shapes.js'
import { anEdition, findEdition, type EditionName } from '../suite/editions.js'
import { parseFile } from '../suite/report.js'
import { toTarget } from '../wire/target.js'
import { toLines } from '../wire/to-wire-request.js'
import type { ConformanceOptions } from './run.js'

/** The file in which a project describes its target (fixtures/meta/target.schema.json). */
export type TargetFile = Partial<
  Pick<ConformanceOptions, 'url' | 'edition' | 'standard' | 'capabilities' | 'headers'> &
    Pick<ConformanceOptions, 'knownFailures' | 'insecure' | 'timeout'>
>

/** A target file as JSON. */
interface TargetJson extends Omit<TargetFile, 'edition' | 'headers' | 'knownFailures'> {
  readonly $schema?: unknown
  readonly edition?: string
  readonly headers?: { readonly [name: string]: string | readonly string[] }
  readonly knownFailures?: readonly KnownFailure[]
}

interface KnownFailure {
  readonly id: string
  readonly reason: string
}

/** Reads a target file; throws a TypeError that names the first mistake in it. */
export function readTargetFile(text: string): TargetFile {
  const json = parseFile(text)
  checkReturned('', json, required(targetShape))
  const { $schema: _, edition, headers, knownFailures, ...others } = json as TargetJson
  const known = new Map(knownFailures?.map(({ id, reason }) => [id, reason]))
  if (known.size < (knownFailures?.length ?? 0)) {
    throw new TypeError('knownFailures: expected each id once.')
  }
  return {
    ...others,
    ...(edition !== undefined && { edition: findEdition(edition) as EditionName }),
    ...(headers && { headers: toLines(headers) }),
    ...(knownFailures && { knownFailures: known }),
  }
}

const aText: Shape = {
  expected: 'text',
  fits: (value) => typeof value === 'string' && value !== '',
}

const aTarget: Shape = {
  ...aString,
  isSecret: true,
  findInside(url: string, path) {
    try {
      toTarget(url)
      return undefined
    } catch (error) {
      return `${path}: ${(error as Error).message}`
    }
  },
}

// RFC 9110 section 5.
const aFieldName: Shape = {
  expected: 'the name of a header',
  fits: (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
}
const aFieldValue: Shape = {
  expected: 'a value of a header',
  fits: (value) => typeof value === 'string' && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value),
  isSecret: true,
}

const targetShape = objectOf<TargetJson>('{ "url": "http://localhost:4000/graphql" }', {
  $schema: anything,
  url: aTarget,
  edition: anEdition,
  standard: aBoolean,
  capabilities: listOf('a list of names such as ["get", "mutationType"]', aText),
  headers: recordOf(
    '{ "authorization": "Bearer abc" }',
    either(aFieldValue, { ...listOf('a list of them', aFieldValue), isSecret: true }),
    aFieldName,
  ),
  knownFailures: listOf(
    'a list such as [{ "id": "get.mutation.refused", "reason": "issue 12" }]',
    objectOf<KnownFailure>('{ "id": "get.mutation.refused", "reason": "issue 12" }', {
      id: required(aText),
      reason: required(aText),
    }),
  ),
  insecure: aBoolean,
  timeout: wholeNumberFrom(1, 60_000),
})
