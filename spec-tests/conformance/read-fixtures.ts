import { readFileSync } from 'node:fs'
import { fixturesFolder } from '../../src/conformance/suite/fixture-files.js'

/** The JSON in a file of the fixtures. */
export function readFixtures<Content>(path: string): Content {
  return JSON.parse(readFileSync(new URL(path, fixturesFolder), 'utf8')) as Content
}
