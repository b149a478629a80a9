import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The modules of `src` and of the packages, by their paths from the root. */
export function readSources(): readonly { readonly name: string; readonly text: string }[] {
  const packages = readdirSync(`${root}packages`).map((name) => `packages/${name}/src`)
  return ['src', ...packages].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`)
      .map((name) => ({ name, text: readFileSync(`${root}${name}`, 'utf8') })),
  )
}
