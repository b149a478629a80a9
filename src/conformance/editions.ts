/** The editions from the oldest to the newest; `next` is none yet. */
export const editionNames = ['2024-01', '2025-05', '2026-04', '2026-08', 'next'] as const

/** The name of an edition. */
export type EditionName = (typeof editionNames)[number]

/** Recognises the name of an edition. */
export function isEditionName(name: string): name is EditionName {
  return editionNames.some((known) => known === name)
}

/** Whether an edition lies between two others, both included; an open end has none. */
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

/** Whether a range such as "2025-05..", "..2026-04" or "2026-08" has the edition. */
export function isInRange(edition: EditionName, range: string): boolean {
  const dots = range.indexOf('..')
  if (dots < 0) return edition === range
  return isBetween(edition, range.slice(0, dots) || undefined, range.slice(dots + 2) || undefined)
}

function positionOf(name: string): number {
  if (!isEditionName(name)) throw new Error(`No edition is called ${JSON.stringify(name)}.`)
  return editionNames.indexOf(name)
}
