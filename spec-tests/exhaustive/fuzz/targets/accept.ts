import { isDeepStrictEqual } from 'node:util'
import { parseAccept } from '../../../../src/http/accept.js'
import { preferenceFor } from '../../../../src/http/negotiate.js'
import { createEncodingChooser } from '../../../../src/over-http/response/choose-encoding.js'
import { editions, type Edition } from '../../../../src/over-http/editions.js'
import { acceptValue } from '../field-values.js'
import {
  acceptsStream,
  chooseByAccept,
  qualityOf,
  readAccept,
} from '../references/choose-by-accept.js'
import { smallerTexts } from '../../../fuzz/smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

const essences = ['application/json', 'application/graphql-response+json']

function defaultTypeOf({ name }: Edition): string {
  return name === '2025-05' ? 'application/json' : 'application/graphql-response+json'
}

/** Accept fields against a slow way to choose: sort all ranges that match. */
export function accept(): Target<string> {
  const all = Object.values(editions)
  const choosers = all.map((edition) => [edition, createEncodingChooser(edition)] as const)
  const check = (field: string): Verdict => {
    const [ranges, wanted] = [parseAccept(field), readAccept(field)]
    if (!isDeepStrictEqual(ranges, wanted)) {
      return `ranges: ${JSON.stringify(ranges)}, the reference says ${JSON.stringify(wanted)}`
    }
    for (const essence of ranges === undefined || wanted === undefined ? [] : essences) {
      const [type = '', subtype = ''] = essence.split('/')
      const { quality, refused } = preferenceFor(ranges ?? [], type, subtype)
      const right = qualityOf(wanted ?? [], essence)
      if (quality !== (right ?? 0)) return `quality: of ${essence} is ${quality}, not ${right}`
      if (refused !== (right === 0)) return `refused: of ${essence} is ${refused}`
    }
    for (const [edition, choose] of choosers) {
      const { acceptable, success } = choose(field)
      const right = chooseByAccept(field, defaultTypeOf(edition))
      const isAcceptable = right !== undefined || acceptsStream(field)
      if (acceptable !== isAcceptable) return `acceptable: is ${acceptable}`
      if (right !== undefined && success.name !== right)
        return `choice: ${success.name} and not ${right}`
    }
    return undefined
  }
  return { name: 'accept', generate: acceptValue, check, smaller: smallerTexts }
}
