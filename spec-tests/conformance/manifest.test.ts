import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { editionNames } from '../../src/conformance/suite/editions.js'
import { fixturesFolder } from '../../src/conformance/suite/fixture-files.js'
import { readSuite } from '../../src/conformance/suite/suite.js'
import { readFixtures } from './read-fixtures.js'

/** What the manifest has to say: the version, the editions, and every file with its sha256. */
function makeManifest(): object {
  const { version } = readFixtures('../package.json') as { version: string }
  const { cases, probes, invariants } = readSuite()
  const files = readdirSync(fixturesFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'manifest.json')
    .map(({ parentPath, name }) => relative(fileURLToPath(fixturesFolder), join(parentPath, name)))
    .toSorted()
  return {
    version,
    editions: editionNames,
    counts: { cases: cases.length, probes: probes.length, invariants: invariants.length },
    files: Object.fromEntries(files.map((path) => [path, hashOf(path)])),
  }
}

function hashOf(path: string): string {
  return createHash('sha256')
    .update(readFileSync(new URL(path, fixturesFolder)))
    .digest('hex')
}

void t.test('the manifest lists every file with its hash; UPDATE=1 writes it', async (t) => {
  const url = new URL('manifest.json', fixturesFolder)
  const manifest = makeManifest()
  if (process.env['UPDATE'] === '1') writeFileSync(url, `${JSON.stringify(manifest, null, 2)}\n`)
  t.strictSame(readFixtures('manifest.json'), manifest)
})
