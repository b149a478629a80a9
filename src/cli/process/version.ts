import { readFileSync } from 'node:fs'

/** The name and version of the package, as it is installed. */
export function readVersion(): string {
  const { name, version } = readPackage()
  return `${name} ${version}`
}

/** Where the documentation begins. */
export function readHomepage(): string {
  return readPackage().homepage
}

interface Package {
  readonly name: string
  readonly version: string
  readonly homepage: string
}

function readPackage(): Package {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  return JSON.parse(text) as Package
}
