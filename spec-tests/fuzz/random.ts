/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same inputs on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return this.next() % limit
  }

  /** True in this share of cases. */
  chance(share: number): boolean {
    return this.next() < share * 2 ** 32
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** As many made items as `count` says at the most. */
  list<Item>(count: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(count + 1) }, make)
  }
}

/** The seed of one case: by FNV-1a of what names it, so that any case can be run alone. */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const character of parts.join(' ')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return hash >>> 0
}
