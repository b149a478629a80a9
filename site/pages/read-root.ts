import { readFileSync } from 'node:fs'

const root = new URL('../../../', import.meta.url)

export function readRoot(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}
