import { findEdition, type EditionName } from '../../conformance/suite/editions.js'
import { describeWords, type FlagType } from './flag.js'

/** One of some editions, by its name or by another name of it, such as september2026. */
export function editionType<Name extends EditionName>(...names: readonly Name[]): FlagType<Name> {
  return {
    placeholder: names.join('|'),
    expected: describeWords(names),
    read(text) {
      const edition = findEdition(text)
      return names.find((name) => name === edition)
    },
  }
}
