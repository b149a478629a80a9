/** The figures of all workloads as tables of Markdown, which can be read as they are too. */
export function formatTables(workloads) {
  return workloads.map(formatWorkload).join('\n')
}

/** The goals and how far they are reached, as a table of Markdown. */
export function formatGoals(goals) {
  const rows = goals.map(({ workload, ours, other, text, figure, reached }) => [
    workload,
    `${ours} against ${other}`,
    text,
    // A third digit, so that none looks reached that is not.
    figure.toFixed(3),
    reached ? 'reached' : '**missed**',
  ])
  return formatTable(['', '', 'goal', 'figure', ''], rows, new Set([3]))
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

/** The tables of a page of Markdown: the heading above each, and its rows by the names of the columns. */
export function readTables(markdown) {
  const tables = []
  let heading = ''
  let table
  for (const line of markdown.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
    if (!line.startsWith('|')) {
      table = undefined
      continue
    }
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    if (table === undefined) tables.push((table = { heading, head: cells, rows: [] }))
    else if (!/^[|: -]+$/.test(line)) {
      table.rows.push(Object.fromEntries(cells.map((cell, at) => [table.head[at], cell])))
    }
  }
  return tables
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

/** Three digits say more than the spread allows. */
function digits(number) {
  return number < 100 ? number.toFixed(1) : number.toFixed(0)
}
