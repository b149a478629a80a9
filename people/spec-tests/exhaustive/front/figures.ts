import type { Started } from '../service/started.js'

/** What is measured: each series by its name and labels, in the text format of Prometheus. */
export async function figuresOf(
  service: Started,
  init?: RequestInit,
): Promise<Map<string, number>> {
  const text = await (await service.ask('/metrics', init)).text()
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const series = samples.map((line): [string, number] => {
    const end = line.lastIndexOf(' ')
    return [line.slice(0, end), Number(line.slice(end))]
  })
  const figures = new Map(series)
  if (figures.size < samples.length) throw new Error('A series comes twice.')
  return figures
}
