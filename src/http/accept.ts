import { parseMediaType, type MediaType } from './media-type.js'
import { splitList } from './split-list.js'

/** One member of an `Accept` field: a media range with its weight. */
export interface AcceptRange extends MediaType {
  /** 0 to 1; 0 means "not acceptable" (RFC 9110 section 12.4.2). */
  readonly quality: number
}

/**
 * Parses an `Accept` field; undefined if it is absent or empty. Malformed members are ignored, so that one
 * bad range does not invalidate the others.
 */
export function parseAccept(field: string | undefined): readonly AcceptRange[] | undefined {
  if (field === undefined) return undefined
  const members = splitList(field, ',').filter((member) => member !== '')
  if (members.length === 0) return undefined
  return members.map(parseRange).filter((range) => range !== undefined)
}

function parseRange(member: string): AcceptRange | undefined {
  const range = parseMediaType(member)
  if (range === undefined || (range.type === '*' && range.subtype !== '*')) return undefined
  // Spreading the range would take longer than parsing it.
  const { type, subtype, parameters } = range
  const weightAt = parameters.findIndex(([name]) => name === 'q')
  if (weightAt < 0) return { type, subtype, parameters, quality: 1 }
  const weight = parameters[weightAt]?.[1] ?? ''
  if (!qvalue.test(weight)) return undefined
  // Parameters after the weight were extensions in RFC 7231; RFC 9110 gives them no meaning.
  return { type, subtype, parameters: parameters.slice(0, weightAt), quality: Number(weight) }
}

/** RFC 9110 section 12.4.2, plus the `q=.2` that widely used clients send. */
const qvalue = /^(?:0?\.[0-9]{1,3}|0\.?|1(?:\.0{0,3})?)$/
