/** The supported editions: the official one of September 2026, and a draft of May 2025 for older clients. */
export type EditionName = '2026-09' | '2025-05'

/** Other names: the release, and the draft of August 2026, which has the same rules. */
export type EditionAlias = 'september2026' | '2026-08'

/** What differs between editions of the specification, beside the rules of the types in `response-types.ts`. */
export interface Edition {
  readonly name: EditionName
  /** The status of a request that is not well-formed. */
  readonly malformed: number
  /** The status of a response with both `data` and `errors`, if the embedder has chosen one. */
  readonly partial?: 200
}

export const editions: { readonly [name in EditionName]: Edition } = {
  '2026-09': { name: '2026-09', malformed: 422 },
  '2025-05': { name: '2025-05', malformed: 400 },
}

export const editionNames: readonly EditionName[] = Object.keys(editions) as EditionName[]

/** The edition of a handler that does not name one, and of the problems of routes. */
export const defaultEdition: EditionName = '2026-09'

export const editionAliases: { readonly [alias in EditionAlias]: EditionName } = {
  september2026: '2026-09',
  '2026-08': '2026-09',
}

/** Finds an edition by name or alias; case-insensitive. */
export function findEdition(name: string): Edition | undefined {
  const key = name.toLowerCase()
  const canonical = Object.hasOwn(editionAliases, key) ? editionAliases[key as EditionAlias] : key
  return Object.hasOwn(editions, canonical) ? editions[canonical as EditionName] : undefined
}
