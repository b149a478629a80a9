import { readFileSync } from 'node:fs'
import { fixturesFolder } from '../../src/conformance/suite/fixture-files.js'

/** The JSON in a file of the fixtures. */
export function readFixtures(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, fixturesFolder), 'utf8'))
}
