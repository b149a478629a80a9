import { isDeepStrictEqual } from 'node:util'
import { parseMediaType } from '../../../../src/http/media-type.js'
import { mediaType } from '../field-values.js'
import { readMediaType } from '../references/read-media-type.js'
import { smallerTexts } from '../smaller.js'
import type { Target } from '../../../fuzz/target.js'

/** Media types against a reader that goes by the grammar, character by character. */
export function mediaTypes(): Target<string> {
  return {
    name: 'media-types',
    about: 'parseMediaType gives what the grammar of RFC 9110 gives',
    generate: mediaType,
    check: (text) => {
      const [found, wanted] = [parseMediaType(text), readMediaType(text)]
      return isDeepStrictEqual(found, wanted)
        ? undefined
        : `differs: ${JSON.stringify(found)}, the grammar says ${JSON.stringify(wanted)}`
    },
    smaller: smallerTexts,
    row: (text) => JSON.stringify(text),
  }
}
