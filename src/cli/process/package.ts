import { readFileSync } from 'node:fs'

interface Package {
  readonly name: string
  readonly version: string
  readonly homepage: string
  readonly engines: { readonly node: string }
  readonly peerDependencies: { readonly graphql: string }
}

export function readPackage(): Package {
  const text = readFileSync(new URL(import.meta.resolve('graphwire/package.json')), 'utf8')
  return JSON.parse(text) as Package
}
