import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of the programs that is on this machine, with its path. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}

/** Whether a missing program is a failure here, and not a reason to skip. */
export const programsAreRequired = Boolean(process.env['GRAPHWIRE_REQUIRE_SERVICES'])
