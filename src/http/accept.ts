import { parseMediaType, type MediaType } from './media-type.js'
import { splitList } from './split-list.js'

/** One member of an `Accept` field: a media range and how much it is wanted. */
export interface AcceptRange extends MediaType {
  /** 0 to 1; 0 means "not acceptable" (RFC 9110 section 12.4.2). */
  readonly quality: number
}

/**
 * The members of an `Accept` field, or undefined where it says nothing: absent or empty. A member
 * that breaks the grammar is passed over, so that one bad range does not spoil the good ones.
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
  const weightAt = range.parameters.findIndex(([name]) => name === 'q')
  if (weightAt < 0) return { ...range, quality: 1 }
  const weight = range.parameters[weightAt]?.[1] ?? ''
  if (!qvalue.test(weight)) return undefined
  // What follows the weight was an extension in RFC 7231 and means nothing in RFC 9110.
  return { ...range, parameters: range.parameters.slice(0, weightAt), quality: Number(weight) }
}

/** RFC 9110 section 12.4.2, and the `q=.2` that widely used clients send. */
const qvalue = /^(?:0?\.[0-9]{1,3}|0\.?|1(?:\.0{0,3})?)$/
