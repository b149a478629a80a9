import type { Random } from '../../fuzz/random.js'
import type { MakeValue, Place } from './place.js'

/** Items in one of the things that are lists to GraphQL. Arrays have their items at once; what is thrown is theirs. */
export function toContainer(
  place: Place,
  random: Random,
  places: readonly Place[],
  make: MakeValue,
): unknown {
  const items = places.map((one) => () => itemOf(one, make))
  const isUsual = place.isShared === true || place.run.isCalm(place.key) || random.chance(0.7)
  const mayWait = place.run.settings.mood.waits > 0
  const kind = isUsual ? 'array' : random.pick(mayWait ? kinds : kindsAtOnce)
  if (kind !== 'array') place.run.note(place.key, `a list by ${kind}`)
  switch (kind) {
    case 'array':
      return items.map((item) => item())
    case 'set':
      return new Set(items.map((item) => item()))
    case 'generator':
      return generate(place, items)
    case 'iterable':
      return iterable(place, items)
    case 'subclass':
      return Fancy.from(items.map((item) => item()))
    case 'holes': {
      const list = items.map((item) => item())
      list.length++
      return list
    }
    case 'failing generator':
      return generate(place, items, new Error(`the generator of ${place.key} fails`))
    case 'async generator':
      return generateLater(place, items)
    case 'failing async generator':
      return generateLater(place, items, new Error(`the generator of ${place.key} fails`))
  }
}

// oxfmt-ignore
const kindsAtOnce = ['set', 'generator', 'iterable', 'subclass', 'holes', 'failing generator'] as const

const kinds = [...kindsAtOnce, 'async generator', 'failing async generator'] as const

class Fancy extends Array<unknown> {}

type Item = () => unknown

/** An item cannot throw, but be an error. */
function itemOf(place: Place, make: MakeValue): unknown {
  try {
    return make(place)
  } catch (error) {
    return error
  }
}

function* generate({ run, key }: Place, items: readonly Item[], error?: Error): Generator {
  try {
    for (const item of items) yield item()
    if (error !== undefined) throw error
  } finally {
    run.record(undefined, `${key} is closed`)
  }
}

async function* generateLater(place: Place, items: readonly Item[], error?: Error) {
  yield* generate(place, items, error)
}

/** An iterable that counts how often it is read and whether it is closed. */
function iterable({ run, key }: Place, items: readonly Item[]): Iterable<unknown> {
  return {
    [Symbol.iterator]: () => {
      let at = 0
      return {
        next: () => {
          run.record(undefined, `next of ${key}`)
          const item = items[at++]
          return item === undefined
            ? { done: true, value: undefined }
            : { done: false, value: item() }
        },
        return: () => {
          run.record(undefined, `return of ${key}`)
          return { done: true, value: undefined }
        },
      }
    },
  }
}
