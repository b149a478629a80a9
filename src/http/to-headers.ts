import type { HeaderList } from './message.js'

/** The header list as the web's Headers, every line kept. */
export function toHeaders(list: HeaderList): Headers {
  const headers = new Headers()
  for (let at = 0; at < list.length; at += 2) {
    headers.append(list[at] as string, list[at + 1] as string)
  }
  return headers
}
