import { readFileSync } from 'node:fs'
import { packageFile } from '../../base/package-file.js'

/** The package, as it is installed. */
interface Package {
  readonly name: string
  readonly version: string
  /** Where the documentation begins. */
  readonly homepage: string
}

export function readPackage(): Package {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  return JSON.parse(text) as Package
}
