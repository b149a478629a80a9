import { fieldLines, type HeaderList } from './message.js'

/** The header list as the web's Headers, every line kept. */
export function toHeaders(list: HeaderList): Headers {
  const headers = new Headers()
  for (const [name, value] of fieldLines(list)) headers.append(name, value)
  return headers
}
