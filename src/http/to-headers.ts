import { fieldLines, type HeaderList } from './message.js'

/** Converts a header list to a web `Headers` object; repeated lines are kept. */
export function toHeaders(list: HeaderList): Headers {
  const headers = new Headers()
  for (const [name, value] of fieldLines(list)) headers.append(name, value)
  return headers
}
