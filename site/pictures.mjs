// The charts of the first page, drawn from the tables of the reports: they take their colors from the page.
import { readFileSync } from 'node:fs'
import { nameOf } from '../bench/plot.mjs'

/** Plainer names than those of the report. */
const suiteNames = {
  accept: 'Accept',
  get: 'GET',
  http: 'HTTP',
  raw: 'raw bytes',
  apq: 'persisted',
  'cors-csrf': 'CORS',
  'query-method': 'QUERY',
  'multipart-upload': 'uploads',
  invariants: 'always',
}
const reports = new URL('../docs/reports/', import.meta.url)

/** Peers by suites: in each field the share of cases that pass, warn and fail. */
export function drawMatrix() {
  const report = readFileSync(new URL('conformance.md', reports), 'utf8')
  const [[, ...suites], ...peers] = readTable(report, '### By suite, September 2026')
  const heads = suites.map((name) => `<span class="suite">${suiteNames[name] ?? name}</span>`)
  const rows = peers.map(([name, ...cells]) => {
    const own = name === 'graphwire' ? ' class="own"' : ''
    return `<span${own}>${name}</span>${cells.map(drawField).join('')}`
  })
  const label = `Share of cases that pass, of ${peers.length} servers in ${suites.length} suites`
  const columns = `grid-template-columns: max-content repeat(${suites.length}, minmax(0, 1fr))`
  return `<div class="matrix" style="${columns}" role="img" aria-label="${label}"><span></span>${heads.join('')}${rows.join('')}</div>`
}

function drawField(cell) {
  const [passed, failed, warned] =
    /^(\d+) \/ (\d+) \/ (\d+)$/.exec(cell)?.slice(1).map(Number) ?? []
  if (passed === undefined) return '<span class="none"></span>'
  return drawParts(passed + warned + failed, { pass: passed, warn: warned, fail: failed })
}

/** Parts of a whole, side by side, as wide as there is room. */
function drawParts(whole, parts) {
  let from = 0
  const drawn = Object.entries(parts).map(([kind, part]) => {
    const bar = `<rect class="${kind}" x="${from}" width="${part}" height="1"/>`
    from += part
    return bar
  })
  return `<svg viewBox="0 0 ${whole} 1" preserveAspectRatio="none">${drawn.join('')}</svg>`
}

/** The CPU of each server under one workload, as bars. */
export function drawSpeed(workload) {
  const report = readFileSync(new URL('performance.md', reports), 'utf8')
  const [, title] = new RegExp(`^### ${workload}: ([^,:]+)`, 'm').exec(report) ?? []
  const [, ...servers] = readTable(report, `### ${workload}:`)
  const figures = servers
    .map(([name, cpu]) => [nameOf(name), Number(cpu)])
    .toSorted(([, a], [, b]) => a - b)
  const most = Math.max(...figures.map(([, cpu]) => cpu))
  const bars = figures.map(([name, cpu]) => {
    const kind = name.startsWith('graphwire') ? 'own' : /^(?:no|by) /.test(name) ? 'plain' : 'peer'
    const figure = cpu < 100 ? cpu.toFixed(1) : cpu
    return `<span class="${kind}">${name}</span>${drawParts(most, { [`bar-${kind}`]: cpu })}<span>${figure}</span>`
  })
  const [own, byHand, compiled] = ['graphwire-16', 'minimal-16', 'compiled-16'].map((server) =>
    Number(servers.find(([name]) => name === server)[1]),
  )
  const label = `CPU per request of ${figures.length} servers`
  return {
    title,
    claim: `A person with friends takes ${(own / byHand).toFixed(1)} times the CPU of a handler written by hand that checks nothing. Compiled, it is ${(byHand / compiled).toFixed(1)} times as fast as by hand.`,
    picture: `<div class="bars" role="img" aria-label="${label}">${bars.join('')}</div>`,
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
