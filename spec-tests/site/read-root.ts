import { readFileSync } from 'node:fs'

const root = new URL('../../../', import.meta.url)

/** Reads a file of the repository. */
export function readRoot(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}
