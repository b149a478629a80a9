import { fieldValue, type HeaderList } from './message.js'
import { splitList } from './split-list.js'

/**
 * The content codings of a body except `identity`, in lower case, joined by commas; undefined if there are
 * none.
 */
export function contentCoding(headers: HeaderList): string | undefined {
  const field = fieldValue(headers, 'content-encoding')
  if (field === undefined) return undefined
  const codings = splitList(field.toLowerCase(), ',').filter(
    (coding) => coding !== '' && coding !== 'identity',
  )
  return codings.length === 0 ? undefined : codings.join(', ')
}
