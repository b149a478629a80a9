import type { MetricFamily } from './metric-family.js'

/** The labels of a value; those that are undefined are left out. */
type Labels<Name extends string> = { readonly [name in Name]: string | undefined }

interface Count {
  readonly labels: { readonly [name: string]: string }
  value: number
}

/** Counts by labels. */
export interface Counts<Name extends string> {
  add(labels: Labels<Name>): void
  samples(): MetricFamily['samples']
}

/** Beyond `most` sets of labels, all others are counted as one, whose labels are `other`. */
export function createCounts<Name extends string>(most: number = Infinity): Counts<Name> {
  const counts = new Map<string, Count>()
  const add = (labels: Labels<Name>, isOther = false): void => {
    const key = JSON.stringify(Object.values(labels))
    const found = counts.get(key)
    if (found !== undefined) found.value += 1
    else if (counts.size < most || isOther) counts.set(key, { labels: present(labels), value: 1 })
    else add(others(labels), true)
  }
  return { add: (labels) => add(labels), samples: () => [...counts.values()] }
}

function others<Name extends string>(labels: Labels<Name>): Labels<Name> {
  const names = Object.keys(labels) as Name[]
  return Object.fromEntries(names.map((name) => [name, 'other'])) as Labels<Name>
}

function present(labels: Labels<string>): { readonly [name: string]: string } {
  const entries = Object.entries(labels).filter((entry): entry is [string, string] => {
    const [, value] = entry
    return value !== undefined
  })
  return Object.fromEntries(entries)
}

interface Distribution {
  readonly labels: { readonly [name: string]: string }
  readonly buckets: number[]
  count: number
  sum: number
}

/** Distributions of durations by labels. */
export interface Durations<Name extends string> {
  /** In milliseconds. */
  observe(labels: Labels<Name>, duration: number): void
  family(name: string, help: string): MetricFamily
}

/** `bounds` are those of the buckets, in seconds. */
export function createDurations<Name extends string>(bounds: readonly number[]): Durations<Name> {
  const all = new Map<string, Distribution>()
  return {
    observe(labels, duration) {
      const key = JSON.stringify(Object.values(labels))
      let found = all.get(key)
      if (found === undefined) {
        found = { labels: present(labels), buckets: bounds.map(() => 0), count: 0, sum: 0 }
        all.set(key, found)
      }
      const seconds = duration / 1000
      found.count += 1
      found.sum += seconds
      for (const [at, bound] of bounds.entries()) {
        if (seconds <= bound) found.buckets[at] = (found.buckets[at] ?? 0) + 1
      }
    },
    family: (name, help) => ({
      name,
      type: 'histogram',
      help,
      merge: 'sum',
      samples: Array.from(all.values(), ({ labels, buckets, count, sum }) => [
        ...bounds.map((bound, at) => ({
          suffix: '_bucket',
          labels: { ...labels, le: String(bound) },
          value: buckets[at] ?? 0,
        })),
        { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
        { suffix: '_sum', labels, value: sum },
        { suffix: '_count', labels, value: count },
      ]).flat(),
    }),
  }
}
