import type { HeaderList } from '../../../src/http/message.js'

/** The lines of the web's Headers, flat. */
export function toHeaderList(headers: Headers): HeaderList {
  return [...headers].flat()
}
