import { readFileSync } from 'node:fs'

/** The package, as it is installed. */
interface Package {
  readonly name: string
  readonly version: string
  /** Where the documentation begins. */
  readonly homepage: string
  readonly engines: { readonly node: string }
  readonly peerDependencies: { readonly graphql: string }
}

export function readPackage(): Package {
  const text = readFileSync(new URL(import.meta.resolve('graphwire/package.json')), 'utf8')
  return JSON.parse(text) as Package
}
