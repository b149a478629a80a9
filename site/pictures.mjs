// The pictures of the first page, drawn from the tables of the reports: they take their colors from the page.
import { readFileSync } from 'node:fs'

/** What the reports call in short. */
const suiteNames = {
  accept: 'Accept',
  get: 'GET',
  http: 'HTTP',
  raw: 'raw bytes',
  apq: 'persisted',
  'cors-csrf': 'CORS',
  'query-method': 'QUERY',
  invariants: 'always',
}
const serverNames = {
  raw: 'no GraphQL, a fixed text',
  'raw-json': 'no GraphQL, JSON is read',
  'minimal-16': 'no checks, graphql 16',
  'minimal-17': 'no checks, graphql 17',
  'graphwire-16': 'graphwire, graphql 16',
  'graphwire-17': 'graphwire, graphql 17',
  'compiled-16': 'graphwire compiled, graphql 16',
  'compiled-17': 'graphwire compiled, graphql 17',
  'mercurius-jit': 'mercurius with JIT',
  apollo: 'Apollo Server, Express',
  'apollo-standalone': 'Apollo Server, alone',
  'graphql-yoga': 'GraphQL Yoga',
}

const reports = new URL('../docs/reports/', import.meta.url)

/** Peers by suites: in each field the share of cases that pass, warn and fail. */
export function drawMatrix() {
  const report = readFileSync(new URL('conformance.md', reports), 'utf8')
  const [[, ...suites], ...peers] = readTable(report, '### By suite, September 2026')
  const left = 128
  const top = 66
  const [width, height, gap] = [33, 20, 5]
  const right = left + suites.length * (width + gap)
  const heads = suites.map((name, at) => {
    const x = left + at * (width + gap) + 10
    return `<text x="${x}" y="${top - 8}" transform="rotate(-38 ${x} ${top - 8})">${suiteNames[name] ?? name}</text>`
  })
  const rows = peers.map(([name, ...cells], row) => {
    const y = top + row * (height + gap)
    const isOwn = name === 'graphwire'
    const own = isOwn ? ' class="own"' : ''
    const band = isOwn ? `<rect class="band" y="${y - 3}" width="100%" height="${height + 6}"/>` : ''
    const label = `<text x="${left - 8}" y="${y + 14}" text-anchor="end"${own}>${name}</text>`
    return band + label + cells.map((cell, at) => drawField(cell, left + at * (width + gap), y)).join('')
  })
  const box = `0 0 ${right + 34} ${top + peers.length * (height + gap)}`
  const label = `Share of cases that pass, of ${peers.length} servers in ${suites.length} suites`
  return `<svg viewBox="${box}" role="img" aria-label="${label}">${heads.join('')}${rows.join('')}</svg>`

  function drawField(cell, x, y) {
    const counts = /^(\d+) \/ (\d+) \/ (\d+)$/.exec(cell)?.slice(1).map(Number)
    if (counts === undefined)
      return `<rect class="none" x="${x}" y="${y}" width="${width}" height="${height}"/>`
    const [passed, failed, warned] = counts
    const total = passed + failed + warned
    let from = x
    return [
      ['pass', passed],
      ['warn', warned],
      ['fail', failed],
    ]
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => {
        const share = (width * count) / total
        const drawn = `<rect class="${kind}" x="${round(from)}" y="${y}" width="${round(share)}" height="${height}"/>`
        from += share
        return drawn
      })
      .join('')
  }
}

/** The CPU of each server under one workload, as bars. */
export function drawSpeed(workload) {
  const report = readFileSync(new URL('performance.md', reports), 'utf8')
  const [, title] = new RegExp(`^### ${workload}: ([^,:]+)`, 'm').exec(report) ?? []
  const [, ...servers] = readTable(report, `### ${workload}:`)
  const figures = servers
    .map(([name, cpu]) => [name, Number(cpu)])
    .toSorted(([, a], [, b]) => a - b)
  const most = Math.max(...figures.map(([, cpu]) => cpu))
  const [left, room, step] = [190, 290, 20]
  const bars = figures.map(([name, cpu], at) => {
    const y = at * step
    const kind = /^(?:graphwire|compiled)/.test(name)
      ? 'own'
      : /^(?:raw|minimal)/.test(name)
        ? 'plain'
        : 'peer'
    const width = round((room * cpu) / most)
    return (
      `<text class="${kind}" x="${left - 8}" y="${y + 12}" text-anchor="end">${serverNames[name] ?? name}</text>` +
      `<rect class="bar-${kind}" x="${left}" y="${y + 1}" width="${width}" height="14" rx="1"/>` +
      `<text class="figure" x="${left + width + 6}" y="${y + 12}">${cpu < 100 ? cpu.toFixed(1) : cpu}</text>`
    )
  })
  const box = `0 0 ${left + room + 40} ${figures.length * step}`
  const label = `CPU per request of ${figures.length} servers`
  return {
    title,
    picture: `<svg viewBox="${box}" role="img" aria-label="${label}">${bars.join('')}</svg>`,
  }
}

/** The cells of the first table below a heading. */
function readTable(markdown, heading) {
  const [, rest] = markdown.split(`\n${heading}`)
  if (rest === undefined) throw new Error(`The report has no "${heading}".`)
  const lines = rest.slice(rest.indexOf('\n|') + 1).split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines
    .slice(0, end)
    .filter((line) => !/^\|[\s:|-]+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

function round(number) {
  return Math.round(number * 10) / 10
}
