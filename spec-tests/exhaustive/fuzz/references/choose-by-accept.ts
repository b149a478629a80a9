import { readMediaType } from './read-media-type.js'

export interface ReadRange {
  readonly type: string
  readonly subtype: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly quality: number
}

/** The members of a list by a regular expression: runs of quoted strings and of what is no separator. */
function membersOf(text: string): string[] {
  const member = /((?:"(?:\\[^]|[^"\\])*(?:"|\\?$)|[^",])*)(?:,|$)/y
  const members: string[] = []
  for (;;) {
    const found = member.exec(text)
    if (found === null) throw new Error(`The reference cannot split ${JSON.stringify(text)}.`)
    members.push((found[1] as string).replace(/^[ \t]+/, '').replace(/[ \t]+$/, ''))
    if (!found[0].endsWith(',') || found[0] === found[1]) return members
  }
}

/** The ranges of an Accept field, those that break the grammar left out; undefined where it says nothing. */
export function readAccept(field: string): readonly ReadRange[] | undefined {
  const members = membersOf(field).filter((member) => member !== '')
  if (members.length === 0) return undefined
  return members.flatMap((member) => {
    const range = readMediaType(member)
    if (range === undefined) return []
    if (range.type === '*' && range.subtype !== '*') return []
    const names = range.parameters.map(([name]) => name)
    if (!names.includes('q')) return [{ ...range, quality: 1 }]
    const quality = readWeight(range.parameters[names.indexOf('q')]?.[1] ?? '')
    if (quality === undefined) return []
    return [{ ...range, quality, parameters: range.parameters.slice(0, names.indexOf('q')) }]
  })
}

/** `qvalue` of RFC 9110 section 12.4.2, and `.5`, which widely used clients send. */
function readWeight(text: string): number | undefined {
  const [whole = '', fraction = '', ...more] = text.split('.')
  if (more.length > 0 || text === '.' || text === '') return undefined
  if (!/^[0-9]{0,3}$/.test(fraction)) return undefined
  if (whole === '1') return Number(`0${fraction}`) === 0 ? 1 : undefined
  if (whole === '0' || (whole === '' && fraction !== '')) return Number(`0.${fraction}0`)
  return undefined
}

/** How much a type is wanted, by sorting every range that matches it: RFC 9110 section 12.5.1. */
export function qualityOf(ranges: readonly ReadRange[], essence: string): number | undefined {
  const [wantedType, wantedSubtype] = essence.split('/')
  const matching = ranges.filter(({ type, subtype, parameters }) => {
    const hasType = type === '*' || type === wantedType
    const hasSubtype = subtype === '*' || subtype === wantedSubtype
    const areOurs = parameters.every(
      ([name, value]) => name === 'charset' && value.toLowerCase() === 'utf-8',
    )
    return hasType && hasSubtype && areOurs
  })
  const rank = ({ type, subtype, parameters: { length } }: ReadRange): string =>
    [type === '*' ? 0 : 1, subtype === '*' ? 0 : 1, `${length}`.padStart(4, '0')].join()
  const ranks = matching.map(rank).toSorted()
  const highest = matching.filter((range) => rank(range) === ranks.at(-1))
  return highest.length === 0 ? undefined : Math.max(...highest.map(({ quality }) => quality))
}

/** The label of a success, by an Accept field; undefined where nothing is acceptable. */
export function chooseByAccept(field: string | undefined, byDefault: string): string | undefined {
  const ranges = field === undefined ? undefined : readAccept(field)
  if (ranges === undefined) return byDefault
  const [graphql, json] = ['application/graphql-response+json', 'application/json']
  const wanted = qualityOf(ranges, graphql) ?? 0
  const plain = qualityOf(ranges, json) ?? 0
  if (wanted === 0 && plain === 0) return undefined
  if (wanted === plain) return byDefault
  return wanted > plain ? graphql : json
}

/** Whether an Accept field has a type for streams: that of events, or one that can only be named. */
export function acceptsStream(field: string | undefined): boolean {
  const ranges = (field === undefined ? undefined : readAccept(field)) ?? []
  if ((qualityOf(ranges, 'text/event-stream') ?? 0) > 0) return true
  return ranges.some(({ type, subtype, parameters, quality }) => {
    const names = parameters.map(([name, value]) => `${name}=${value}`)
    const format = new Set(['incrementalspec=v0.2', 'deferspec=20220824', 'subscriptionspec=1.0'])
    const usual = /^(?:boundary=|charset=utf-8$)/i
    const known = names.every((one) => format.has(one) || usual.test(one))
    const essence = `${type}/${subtype}`
    const isStream = ['multipart/mixed', 'text/event-stream', 'application/jsonl'].includes(essence)
    return isStream && known && quality > 0
  })
}
