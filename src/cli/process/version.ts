import { readFileSync } from 'node:fs'

/** The name and version of the package, as it is installed. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  const { name, version } = JSON.parse(manifest) as { name: string; version: string }
  return `${name} ${version}`
}
