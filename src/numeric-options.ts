import { defaultLimits, mostNesting, type DocumentLimits, type LimitName } from './engine/limits.js'

/** The numbers of a handler; a document's limits are in `limits`. */
export interface NumericSettings extends RequestNumbers {
  readonly limits: DocumentLimits
}

/** The options that are numbers, none of them required. */
export type NumericOptions = {
  readonly [name in keyof RequestNumbers | LimitName]?:
    | (RequestNumbers & DocumentLimits)[name]
    | undefined
}

interface RequestNumbers {
  /** The longest URL in characters. Default: 8,192. */
  readonly maxUrlLength: number
  /** The largest number of header lines. Default: 100. */
  readonly maxHeaderCount: number
  /** The largest body in bytes, of a compressed one before and after. Default: 1 MiB. */
  readonly maxBodyBytes: number
  /** How deep the JSON of a request may nest; at most 512. Default: 128. */
  readonly maxJsonNesting: number
  /** The longest document in characters. Default: 65,536. */
  readonly maxDocumentLength: number
  /** The size of a list where neither an argument nor the schema says it. Default: 10. */
  readonly costListSize: number
  /** The longest list that resolvers give, whatever a size argument asks for. Default: Infinity. */
  readonly costMaxListSize: number
  /** How many faults of a document or of variables are told. Default: 5. */
  readonly maxErrors: number
  /** The longest message of graphql-js about a request, which can repeat much of it. Default: 200. */
  readonly maxMessageLength: number
  /** How long an operation may take, in milliseconds. Default: 10,000. */
  readonly executionTimeout: number
  /** How many requests may wait for their answers at once. Default: 1,000. */
  readonly maxInFlight: number
  /** How late the event loop may be, in milliseconds, before requests are refused. Default: Infinity. */
  readonly maxEventLoopDelay: number
  /** The largest answer in bytes. Default: 10 MiB. */
  readonly maxAnswerBytes: number
  /** How many documents each schema keeps parsed and validated. Default: 500. */
  readonly documentCacheEntries: number
  /** How many bytes those documents may take, as estimated from their source. Default: 8 MiB. */
  readonly documentCacheBytes: number
}

/** A default and the least and the most that are taken. */
interface Range {
  readonly fallback: number
  readonly least: number
  readonly most?: number
}

/** What a timer can hold: above it fires at once. */
const maxTimeout = 2 ** 31 - 1
const MiB = 1024 * 1024

const ranges: { readonly [name in keyof RequestNumbers]: Range } = {
  maxUrlLength: { fallback: 8192, least: 1 },
  maxHeaderCount: { fallback: 100, least: 1 },
  maxBodyBytes: { fallback: MiB, least: 0 },
  maxJsonNesting: { fallback: 128, least: 1, most: 512 },
  maxDocumentLength: { fallback: 65_536, least: 1 },
  costListSize: { fallback: 10, least: 0 },
  costMaxListSize: { fallback: Infinity, least: 0 },
  maxErrors: { fallback: 5, least: 1 },
  maxMessageLength: { fallback: 200, least: 1 },
  executionTimeout: { fallback: 10_000, least: 1, most: maxTimeout },
  maxInFlight: { fallback: 1000, least: 1 },
  maxEventLoopDelay: { fallback: Infinity, least: 1 },
  maxAnswerBytes: { fallback: 10 * MiB, least: 1 },
  documentCacheEntries: { fallback: 500, least: 0, most: Number.MAX_SAFE_INTEGER },
  documentCacheBytes: { fallback: 8 * MiB, least: 0, most: Number.MAX_SAFE_INTEGER },
}

/** Fills in the defaults of all numbers; one that makes no sense is a mistake, told at once. */
export function readNumbers(options: NumericOptions): NumericSettings {
  const limits = mapValues(defaultLimits, (fallback, name) => {
    const most = name === 'maxNesting' ? mostNesting : Infinity
    return numberOf(name, options[name], { fallback, least: 0, most })
  })
  return { ...mapValues(ranges, (range, name) => numberOf(name, options[name], range)), limits }
}

function mapValues<Name extends string, Value>(
  record: { readonly [name in Name]: Value },
  map: (value: Value, name: Name) => number,
): { readonly [name in Name]: number } {
  const names = Object.keys(record) as Name[]
  return Object.fromEntries(names.map((name) => [name, map(record[name], name)])) as {
    [name in Name]: number
  }
}

function numberOf(
  name: string,
  given: unknown,
  { fallback, least, most = Infinity }: Range,
): number {
  const value = given ?? fallback
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new TypeError(
    `${name}: expected a number from ${least} to ${most}, got ${typeof value === 'number' ? value : typeof value}.`,
  )
}
