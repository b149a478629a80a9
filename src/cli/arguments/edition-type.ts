import { findEdition, type EditionName } from '../../conformance/suite/editions.js'
import { describeWords, type FlagType } from './flag.js'

/** An edition of the list, by its name or an alias such as september2026. */
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
