import type { Shape } from '../../shapes/shape.js'
import { oneOf } from '../../shapes/shapes.js'

/** The titles of the editions from the oldest to the newest; `next` has proposals for future ones. */
const titles = {
  '2024-01': 'January 2024 (draft)',
  '2025-05': 'May 2025 (draft)',
  '2026-04': 'April 2026 (draft)',
  '2026-09': 'September 2026',
  next: 'next (proposals)',
} as const

export type EditionName = keyof typeof titles

export const editionNames: readonly EditionName[] = Object.keys(titles) as EditionName[]

/** The newest released edition. */
export const defaultEdition = '2026-09'

/** Other names of editions: that of a release, and a draft with the same rules. */
export const editionAliases: { readonly [alias: string]: EditionName } = {
  september2026: '2026-09',
  '2026-08': '2026-09',
}

/** The title of an edition in reports; the name itself if it is unknown. */
export function titleOf(edition: string): string {
  return isEditionName(edition) ? titles[edition] : edition
}

function isEditionName(name: string): name is EditionName {
  return Object.hasOwn(titles, name)
}

/** The edition with a name or an alias, in upper or lower case. */
export function findEdition(text: string): EditionName | undefined {
  const key = text.toLowerCase()
  return editionNames.find((name) => name === key || name === editionAliases[key])
}

export const anEdition: Shape = {
  ...oneOf(editionNames),
  fits: (value) => typeof value === 'string' && findEdition(value) !== undefined,
}

/** Whether an edition is in a range, both ends included; an end may be open. */
export function isBetween(edition: EditionName, from = '2024-01', until = 'next'): boolean {
  const at = positionOf(edition)
  return at >= positionOf(from) && at <= positionOf(until)
}

/** Whether a range such as "2025-05..", "..2026-04" or "2026-09" includes the edition. */
export function isInRange(edition: EditionName, range: string): boolean {
  const [from = '', until = from] = range.split('..')
  return isBetween(edition, from || undefined, until || undefined)
}

function positionOf(name: string): number {
  if (!isEditionName(name)) throw new Error(`Unknown edition ${JSON.stringify(name)}.`)
  return editionNames.indexOf(name)
}
