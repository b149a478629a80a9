/** The selected suites by name, and cases by id or by the beginning of an id. */
export interface CaseSelection {
  readonly suites?: readonly string[] | undefined
  readonly cases?: readonly string[] | undefined
}

/** Whether a case is selected. An empty list selects all. */
export function isSelected(
  { id, suite }: { readonly id: string; readonly suite: string },
  { suites = [], cases = [] }: CaseSelection,
): boolean {
  return (
    (suites.length === 0 || suites.includes(suite)) &&
    (cases.length === 0 || cases.some((one) => id === one || id.startsWith(`${one}.`)))
  )
}
