/** A value of a family, with its labels. */
interface Sample {
  /** What follows the name of the family, such as `_bucket`. */
  readonly suffix?: string
  readonly labels?: { readonly [name: string]: string }
  readonly value: number
}

/** One metric with all its labels, as plain data that goes from process to process as JSON. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** What the value of several processes is. */
  readonly merge: 'sum' | 'max' | 'min'
  readonly samples: readonly Sample[]
}

export function counter(
  name: string,
  help: string,
  samples: MetricFamily['samples'],
): MetricFamily {
  return { name, type: 'counter', help, merge: 'sum', samples }
}

export function gauge(
  name: string,
  help: string,
  merge: MetricFamily['merge'],
  value: number,
): MetricFamily {
  return { name, type: 'gauge', help, merge, samples: [{ value }] }
}

/** The metrics of several processes as one. */
export function mergeFamilies(
  processes: readonly (readonly MetricFamily[])[],
): readonly MetricFamily[] {
  const merged = new Map<string, MetricFamily & { readonly byKey: Map<string, Sample> }>()
  for (const family of processes.flat()) {
    const { byKey } = merged.get(family.name) ?? { byKey: new Map<string, Sample>() }
    merged.set(family.name, { ...family, byKey })
    for (const sample of family.samples) {
      const key = JSON.stringify([sample.suffix, sample.labels])
      const before = byKey.get(key)
      const value = before ? combine[family.merge](before.value, sample.value) : sample.value
      byKey.set(key, { ...sample, value })
    }
  }
  return Array.from(merged.values(), ({ byKey, ...family }) => ({
    ...family,
    samples: [...byKey.values()],
  }))
}

const combine: {
  readonly [merge in MetricFamily['merge']]: (one: number, other: number) => number
} = { sum: (one, other) => one + other, max: Math.max, min: Math.min }

/** What remains of a process that has ended: its counts, which must not go down, but not its gauges. */
export function countsOf(families: readonly MetricFamily[]): readonly MetricFamily[] {
  return families.filter(({ type }) => type !== 'gauge')
}

/** The text format of Prometheus, version 0.0.4. */
export function formatFamilies(families: readonly MetricFamily[]): string {
  return families
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ suffix = '', labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${value}`,
      ),
      '',
    ])
    .join('\n')
}

function formatLabels(labels: { readonly [name: string]: string }): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** The labels of a value; those that are undefined are left out. */
type Labels<Name extends string> = { readonly [name in Name]: string | undefined }

interface Count {
  readonly labels: { readonly [name: string]: string }
  value: number
}

/** Counts by labels. */
interface Counts<Name extends string> {
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
interface Durations<Name extends string> {
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
