import type { Started } from '../service/started.js'

/** What is measured: each series by its name and labels. */
export async function figuresOf(
  service: Started,
  init?: RequestInit,
): Promise<Map<string, number>> {
  const answer = await service.ask('/metrics', init)
  return readFigures(await answer.text())
}

/** Reads the text format of Prometheus, and throws at a line that is not of its grammar. */
function readFigures(text: string): Map<string, number> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const series = new Map<string, number>()
  const types = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] =
      /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? []
    if (line === '' || kind === 'HELP') continue
    if (kind === 'TYPE') {
      if (types.has(name)) throw new Error(`Two types of ${name}`)
      types.set(name, rest)
      continue
    }
    const found = sample.exec(line)
    if (found === null) throw new Error(`This is no sample: ${line}`)
    const [, id = '', family = '', value = ''] = found
    const base = family.replace(/_(?:bucket|sum|count)$/, '')
    if (!types.has(family) && !types.has(base)) throw new Error(`No type of ${line}`)
    if (series.has(id)) throw new Error(`Twice: ${id}`)
    series.set(id, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value))
  }
  return series
}

const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
// Prometheus reads numbers by Go's ParseFloat, for which `Nan` is one.
const sample = new RegExp(
  String.raw`^(([a-zA-Z_:][\w:]*)(?:\{(?:${label}(?:,${label})*)?\})?) ([+-]Inf|N[Aa][Nn]|-?[\d.]+(?:e[+-]?\d+)?)$`,
)
