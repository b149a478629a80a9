/** The editions from the oldest to the newest; `next` has proposals for future ones. */
export const editionNames = ['2024-01', '2025-05', '2026-04', '2026-09', 'next'] as const

export type EditionName = (typeof editionNames)[number]

/** The newest released edition. */
export const defaultEdition = '2026-09'

/** Other names of editions: that of a release, and a draft with the same rules. */
export const editionAliases: { readonly [alias: string]: EditionName } = {
  september2026: '2026-09',
  '2026-08': '2026-09',
}

const titles: { readonly [name in EditionName]: string } = {
  '2024-01': 'January 2024 (draft)',
  '2025-05': 'May 2025 (draft)',
  '2026-04': 'April 2026 (draft)',
  '2026-09': 'September 2026',
  next: 'next (proposals)',
}

/** The title of an edition in reports; the name itself if it is unknown. */
export function titleOf(edition: string): string {
  return isEditionName(edition) ? titles[edition] : edition
}

function isEditionName(name: string): name is EditionName {
  return editionNames.some((editionName) => editionName === name)
}

/** The edition with a name or an alias, in upper or lower case. */
export function findEdition(text: string): EditionName | undefined {
  const key = text.toLowerCase()
  const name = Object.hasOwn(editionAliases, key) ? editionAliases[key] : key
  return name !== undefined && isEditionName(name) ? name : undefined
}

/** Whether an edition is in a range, both ends included; an end may be open. */
export function isBetween(
  edition: EditionName,
  from: string | undefined,
  until: string | undefined,
): boolean {
  const at = editionNames.indexOf(edition)
  return (
    (from === undefined || at >= positionOf(from)) &&
    (until === undefined || at <= positionOf(until))
  )
}

/** Whether a range such as "2025-05..", "..2026-04" or "2026-09" includes the edition. */
export function isInRange(edition: EditionName, range: string): boolean {
  const dots = range.indexOf('..')
  if (dots < 0) return edition === range
  return isBetween(edition, range.slice(0, dots) || undefined, range.slice(dots + 2) || undefined)
}

function positionOf(name: string): number {
  if (!isEditionName(name)) throw new Error(`Unknown edition ${JSON.stringify(name)}.`)
  return editionNames.indexOf(name)
}
