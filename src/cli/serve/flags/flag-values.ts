import type { ReportableLimit } from '../../../index.js'
import { absolutePath } from '../../../shapes/shapes.js'
import { listType, type FlagType } from '../../arguments/flag.js'

/** A path such as /graphql. */
export const urlPath: FlagType<string> = {
  placeholder: 'path',
  expected: 'a path such as /graphql, without "?" and "#"',
  read: (text) => (absolutePath.fits(text) ? text : undefined),
}

/** A path, or the word `off`. */
export const optionalPath: FlagType<string | false> = {
  placeholder: 'path|off',
  expected: `${urlPath.expected}, or off`,
  read: (text) => (text === 'off' ? false : urlPath.read(text)),
}

/** A list, or a word for everything, which wins where it is repeated. */
function listOr<Item, Word extends string>(
  word: Word,
  placeholder: string,
  item: FlagType<Item>,
): FlagType<Word | readonly Item[]> {
  const list = listType(item)
  return {
    placeholder,
    expected: `${list.expected}, or ${word}`,
    read: (text) => (text === word ? word : list.read(text)),
    combine: (values) => {
      const lists = values.filter((value) => value !== word) as (readonly Item[])[]
      return lists.length < values.length ? word : lists.flat()
    },
  }
}

/** The origins of pages that may send requests; a star is all of them. */
export type Origins = '*' | readonly string[]

export const originsType: FlagType<Origins> = listOr('*', 'origins', {
  placeholder: 'origin',
  expected: 'origins such as https://example.com',
  read: (text) => (URL.canParse(text) && new URL(text).origin === text ? text : undefined),
})

/** The limits to report instead of enforce, by the names of their options. */
export type ReportOnly = 'all' | readonly ReportableLimit[]

export const reportOnlyType: FlagType<ReportOnly> = listOr('all', 'limits', {
  placeholder: 'limit',
  expected: 'option names such as maxDepth',
  // The handler checks whether these limits can be reported only.
  read: (text) =>
    /^(?:max[A-Z][A-Za-z]*|trustedOnly)$/.test(text) ? (text as ReportableLimit) : undefined,
})
