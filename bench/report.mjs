import { minimalOf } from './contenders.mjs'
import { lowerQuartile, median } from './median.mjs'

/** The server that all are compared with, besides the minimal handler on their version of graphql. */
const reference = 'raw-json'

/** The figures of one workload: for each server the usual figures, and the ratios of its CPU to that of others. */
export function summarize({ name, title }, runs) {
  const measured = runs.map(({ server, rounds, memory, fault }) => ({
    name: server.contender.name,
    minimal: minimalOf(server.contender),
    ...(fault === undefined ? { memory, ...usualFigures(rounds) } : { fault }),
  }))
  return { name, title, servers: measured.map((server) => withRatios(server, measured)) }
}

/**
 * The CPU is that of the round at the lower quartile, since other work on the machine can only add to it, through caches and
 * shared cores. The minimum would miss garbage collections that belong to the server. Latencies also depend on the load, so
 * the rest are medians.
 */
function usualFigures(rounds) {
  const costs = rounds.map(({ cpu }) => cpu)
  const of = (figure) => median(rounds.map((round) => round[figure]))
  return {
    cpu: lowerQuartile(costs),
    cpuOfRounds: costs,
    busy: of('busy'),
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
  }
}

function withRatios({ minimal, ...server }, measured) {
  const to = (name) => {
    const other = measured.find((one) => one.name === name)
    return server.cpu === undefined || other?.cpu === undefined ? undefined : server.cpu / other.cpu
  }
  return { ...server, toRaw: to(reference), toMinimal: to(minimal) }
}

/** The first lines of each report: what was run, and where. */
function formatHeader(report) {
  const { date, node, machine, load, pinned, rounds, processes, seconds } = report
  const { connections, servers } = report
  const place = pinned ? 'the server alone on one of them' : 'no process tied to one of them'
  return [
    `${date}, Node ${node}, ${machine.system}, ${machine.cores} cores (${machine.processor}), ${place}; load before the run ${load.toFixed(2)}.`,
    `${rounds} rounds of ${seconds} s in ${processes} ${processes === 1 ? 'process' : 'processes'} of each server, ${connections} connections.`,
    ...servers
      .filter(({ versions }) => versions.length > 0)
      .map(({ name, versions }) => `- ${name}: ${versions.join(', ')}`),
    '',
  ].join('\n')
}

/** The report as text for a terminal. */
export function formatReport(report) {
  return `${formatHeader(report)}\n${formatTables(report.workloads)}`
}

/** The page of the results. */
export function formatPage(report) {
  return [
    '<!-- Written by `npm run report:performance`. Do not edit. -->',
    '',
    '# CPU per request: results',
    '',
    'What is measured, and how: [CPU per request](../performance.md).',
    '',
    '![CPU per request of each server under each workload](performance.svg)',
    '',
    '## The run',
    '',
    formatHeader(report),
    '## Goals',
    '',
    formatGoals(report.goals),
    '## Figures',
    '',
    '![Memory of each server after each workload](performance-memory.svg)',
    '',
    formatTables(report.workloads),
  ].join('\n')
}

/** The goals and how far they are reached, as a table of Markdown. */
export function formatGoals(goals) {
  const rows = goals.map(({ workload, ours, other, text, figure, reached }) => [
    workload,
    `${ours} against ${other}`,
    text,
    // A third digit, so that a missed goal does not look reached.
    figure.toFixed(3),
    reached ? 'reached' : '**missed**',
  ])
  return formatTable(['', '', 'goal', 'figure', ''], rows, new Set([3]))
}

/** The figures of all workloads as tables of Markdown, which can be read as they are too. */
function formatTables(workloads) {
  return workloads.map(formatWorkload).join('\n')
}

/** Rows of texts as a table of Markdown; the columns in `numeric` are aligned to the right. */
export function formatTable(head, rows, numeric) {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => row[at].length)))
  const line = (cells) =>
    `| ${cells.map((cell, at) => (numeric.has(at) ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join(' | ')} |`
  const rule = widths.map((width, at) =>
    numeric.has(at) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [line(head), line(rule), ...rows.map(line), ''].join('\n')
}

const head = [
  '',
  'CPU, us',
  'min-max',
  'to raw-json',
  'to minimal',
  'requests/s',
  'p50, ms',
  'p99, ms',
  'memory, MB',
]
const numbers = new Set([1, 2, 3, 4, 5, 6, 7, 8])

function formatWorkload({ name, title, servers }) {
  return [`### ${name}: ${title}`, '', formatTable(head, servers.map(rowOf), numbers)].join('\n')
}

function rowOf({ name, fault, cpu, cpuOfRounds, toRaw, toMinimal, perSecond, p50, p99, memory }) {
  if (fault !== undefined) return [name, 'failed', ...head.slice(2).map(() => '-')]
  return [
    name,
    digits(cpu),
    `${digits(Math.min(...cpuOfRounds))}-${digits(Math.max(...cpuOfRounds))}`,
    toRaw?.toFixed(2) ?? '-',
    toMinimal?.toFixed(2) ?? '-',
    perSecond.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    memory.rest.toFixed(0),
  ]
}

/** A third digit would be more exact than the spread. */
function digits(number) {
  return number < 100 ? number.toFixed(1) : number.toFixed(0)
}
