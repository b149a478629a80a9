import type { FlagType } from '../flag.js'

/** A path of URLs. */
export const urlPath: FlagType<string> = {
  placeholder: 'path',
  expected: 'a path such as /graphql, without "?" and "#"',
  read: (text) => (/^\/[^?#\s]*$/.test(text) ? text : undefined),
}

/** A path of URLs, or the word that leaves it out. */
export const optionalPath: FlagType<string | false> = {
  placeholder: 'path|off',
  expected: `${urlPath.expected}, or off`,
  read: (text) => (text === 'off' ? false : urlPath.read(text)),
}
