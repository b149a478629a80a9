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
