import { listType, type FlagType } from '../flag.js'

/** The origins of pages that may send requests. */
export type Origins = '*' | readonly string[]

const originType: FlagType<string> = {
  placeholder: 'origin',
  expected: 'origins such as https://example.com',
  read: (text) => (URL.canParse(text) && new URL(text).origin === text ? text : undefined),
}

const several = listType(originType)

/** Origins with commas between them, or a star for all of them. */
export const originsType: FlagType<Origins | undefined> = {
  placeholder: 'origins',
  expected: `${several.expected}, or *`,
  read: (text) => (text === '*' ? '*' : several.read(text)),
  combine: (lists) => (lists.includes('*') ? '*' : lists.flatMap((list) => list ?? [])),
}
