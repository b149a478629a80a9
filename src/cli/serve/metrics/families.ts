/** One metric with all its labels, as plain data that goes from process to process as JSON. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** What the value of several processes is. */
  readonly merge: 'sum' | 'max' | 'min'
  readonly samples: Samples
}

/** Values by what follows the name of the family: a suffix such as `_bucket`, and the labels. */
export interface Samples {
  readonly [key: string]: number
}

type MutableSamples = { [key: string]: number }

/** The labels of a value; those that are undefined are left out. */
interface Labels {
  readonly [name: string]: string | undefined
}

export function counter(name: string, help: string, value: number | Samples): MetricFamily {
  const samples = typeof value === 'number' ? { '': value } : value
  return { name, type: 'counter', help, merge: 'sum', samples }
}

export function gauge(
  name: string,
  help: string,
  merge: MetricFamily['merge'],
  value: number,
  labels: Labels = {},
): MetricFamily {
  return { name, type: 'gauge', help, merge, samples: { [formatLabels(labels)]: value } }
}

/** The metrics of several processes as one. */
export function mergeFamilies(
  processes: readonly (readonly MetricFamily[])[],
): readonly MetricFamily[] {
  const merged = new Map<string, MetricFamily & { readonly samples: MutableSamples }>()
  for (const family of processes.flat()) {
    const samples: MutableSamples = merged.get(family.name)?.samples ?? {}
    merged.set(family.name, { ...family, samples })
    for (const [key, value] of Object.entries(family.samples)) {
      const before = samples[key]
      samples[key] = before === undefined ? value : combine[family.merge](before, value)
    }
  }
  return [...merged.values()]
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
      ...Object.entries(samples).map(([key, value]) => `${name}${key} ${value}`),
      '',
    ])
    .join('\n')
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${escape(value)}"`],
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escape(value: string): string {
  return value.replaceAll(/[\\"\n]/g, (character) =>
    character === '\n' ? '\\n' : `\\${character}`,
  )
}

/** Counts by labels. */
export class Counts {
  readonly samples: MutableSamples = {}
  readonly #most: number
  #size = 0

  /** Beyond `most` sets of labels, all others are counted as one, whose labels are `other`. */
  constructor(most: number = Infinity) {
    this.#most = most
  }

  add(labels: Labels): void {
    let key = formatLabels(labels)
    if (!(key in this.samples) && ++this.#size > this.#most) {
      key = formatLabels(Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])))
    }
    this.samples[key] = (this.samples[key] ?? 0) + 1
  }
}

interface Distribution {
  readonly labels: Labels
  readonly buckets: number[]
  count: number
  sum: number
}

/** Distributions of durations by labels. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #distributions = new Map<string, Distribution>()

  /** `bounds` are those of the buckets, in seconds. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
  }

  /** `duration` is in milliseconds. */
  observe(labels: Labels, duration: number): void {
    const key = formatLabels(labels)
    let found = this.#distributions.get(key)
    if (found === undefined) {
      found = { labels, buckets: this.#bounds.map(() => 0), count: 0, sum: 0 }
      this.#distributions.set(key, found)
    }
    const seconds = duration / 1000
    found.count += 1
    found.sum += seconds
    for (const [at, bound] of this.#bounds.entries()) {
      if (seconds <= bound) found.buckets[at] = (found.buckets[at] ?? 0) + 1
    }
  }

  family(name: string, help: string): MetricFamily {
    const samples: MutableSamples = {}
    for (const [key, { labels, buckets, count, sum }] of this.#distributions) {
      const bucket = (le: string): string => `_bucket${formatLabels({ ...labels, le })}`
      for (const [at, bound] of this.#bounds.entries())
        samples[bucket(`${bound}`)] = buckets[at] ?? 0
      samples[bucket('+Inf')] = count
      samples[`_sum${key}`] = sum
      samples[`_count${key}`] = count
    }
    return { name, type: 'histogram', help, merge: 'sum', samples }
  }
}
