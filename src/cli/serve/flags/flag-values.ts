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

/** The origins of pages that may send requests. */
export type Origins = '*' | readonly string[]

const originList = listType<string>({
  placeholder: 'origin',
  expected: 'origins such as https://example.com',
  read: (text) => (URL.canParse(text) && new URL(text).origin === text ? text : undefined),
})

/** Origins separated by commas, or a star for all of them. */
export const originsType: FlagType<Origins | undefined> = {
  placeholder: 'origins',
  expected: `${originList.expected}, or *`,
  read: (text) => (text === '*' ? '*' : originList.read(text)),
  combine: (lists) => (lists.includes('*') ? '*' : lists.flatMap((list) => list ?? [])),
}

/** The limits to report instead of enforce, by the names of their options. */
export type ReportOnly = 'all' | readonly ReportableLimit[]

const limitList = listType<ReportableLimit>({
  placeholder: 'limit',
  expected: 'option names such as maxDepth',
  // The handler checks whether these limits can be reported only.
  read: (text) =>
    /^(?:max[A-Z][A-Za-z]*|trustedOnly)$/.test(text) ? (text as ReportableLimit) : undefined,
})

/** Names of limits separated by commas, or the word `all`. */
export const reportOnlyType: FlagType<ReportOnly> = {
  placeholder: 'limits',
  expected: `${limitList.expected}, or all`,
  read: (text) => (text === 'all' ? 'all' : limitList.read(text)),
  combine: (lists) =>
    lists.includes('all') ? 'all' : lists.flatMap((list) => (list === 'all' ? [] : list)),
}
