import { findEdition, type EditionName } from '../../conformance/suite/editions.js'
import { choiceType, type FlagType } from './flag.js'

/** An edition of the list, by its name or an alias such as september2026. */
export function editionType<Name extends EditionName>(...names: readonly Name[]): FlagType<Name> {
  const type = choiceType(...names)
  return { ...type, read: (text) => type.read(findEdition(text) ?? '') }
}
