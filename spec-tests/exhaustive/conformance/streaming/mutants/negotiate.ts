import type { HasStreamDefect } from './defects.js'

/** A member of Accept. */
interface Range {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly q: number
}

/** What a client accepts, and how much of it. */
export interface Wishes {
  readonly sse: number
  readonly json: number
  readonly multipartSubscription: number
  readonly incremental: IncrementalWish | undefined
}

/** The first form of incremental delivery that a client accepts. */
export interface IncrementalWish {
  readonly type: 'multipart/mixed' | 'text/event-stream' | 'application/jsonl'
  readonly format: 'v0.2' | 'legacy'
  readonly q: number
}

/** Reads Accept. */
export function readWishes(accept: string, has: HasStreamDefect): Wishes {
  const ranges = accept.split(',').map((member) => toRange(member, has))
  const qOf = (fits: (range: Range) => boolean): number =>
    Math.max(0, ...ranges.filter(fits).map(({ q }) => q))
  const named = ranges.find(({ type }) => type === 'text/event-stream')
  const sse = named?.q ?? 0
  return {
    sse: has('sse-zero-accepted') && named !== undefined ? 1.5 : sse,
    json: qOf(({ type }) => /^(?:application\/(?:graphql-response\+)?json|\*\/\*)$/.test(type)),
    multipartSubscription: qOf(isMultipartSubscription),
    incremental: ranges.map(toIncremental).find((wish) => wish !== undefined),
  }
}

function toRange(member: string, has: HasStreamDefect): Range {
  const [type = '', ...rest] = member.split(';').map((part) => part.trim())
  const parameters = new Map(
    rest.map((parameter): [string, string] => {
      const [name = '', value = ''] = parameter.split('=')
      return [name, has('mps-unquoted-only') ? value : value.replaceAll('"', '')]
    }),
  )
  const isQuoted = rest.some((parameter) => parameter.includes('"1.0"'))
  if (has('mps-quoted-only') && !isQuoted) parameters.delete('subscriptionSpec')
  const q = Number(parameters.get('q') ?? 1)
  return { type: has('sse-case-sensitive') ? type : type.toLowerCase(), parameters, q }
}

function isMultipartSubscription({ type, parameters }: Range): boolean {
  return type === 'multipart/mixed' && parameters.get('subscriptionSpec') === '1.0'
}

function toIncremental({ type, parameters, q }: Range): IncrementalWish | undefined {
  const isLegacy = parameters.get('deferSpec') === '20220824'
  const isModern = parameters.get('incrementalSpec') === 'v0.2'
  const isKnown =
    type === 'multipart/mixed' || type === 'text/event-stream' || type === 'application/jsonl'
  if (!isKnown || !(isLegacy || isModern) || q === 0) return undefined
  return { type, format: isLegacy ? 'legacy' : 'v0.2', q }
}
