import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { packageFile } from '../../base/package-file.js'

/** The files of a suite by their paths in its folder. */
export interface FixtureFiles {
  /** Sorted. */
  readonly paths: readonly string[]
  /** Throws if there is no such file. */
  read(this: void, path: string): string
}

/** The fixtures of the repository, or of the package. */
export const fixturesFolder: URL = packageFile('fixtures/')

/** The file that release/stage.mjs packs instead: an object of all texts, as JSON, with brotli. */
const archiveName = 'all.json.br'

/** Opens a folder of fixtures, or the archive in it: a package of hundreds of small files is slow to install. */
export function openFixtures(folder: URL): FixtureFiles {
  const archive = new URL(archiveName, folder)
  return existsSync(archive) ? openArchive(archive) : openFolder(folder)
}

function openFolder(folder: URL): FixtureFiles {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return {
    paths: entries.map((path) => path.replaceAll(sep, '/')).toSorted(),
    read: (path) => readFileSync(new URL(path, folder), 'utf8'),
  }
}

function openArchive(archive: URL): FixtureFiles {
  const texts = JSON.parse(brotliDecompressSync(readFileSync(archive)).toString('utf8')) as {
    readonly [path: string]: string
  }
  return {
    paths: Object.keys(texts).toSorted(),
    read(path) {
      const text = Object.hasOwn(texts, path) ? texts[path] : undefined
      if (text === undefined) throw new Error(`${archiveName} has no such file`)
      return text
    },
  }
}
