/** The report as a table of Markdown. */
export function formatTable({ date, node, rounds, contenders }) {
  const rows = [
    ['', 'with', 'first answer, ms', 'min-max', 'ratio', 'memory, MB', 'packages', 'installed, MB'],
    ['-', '-', '-:', '-:', '-:', '-:', '-:', '-:'],
    ...contenders.map(rowOf),
  ]
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)))
  const lines = rows.map(
    (row) => `| ${row.map((cell, at) => pad(cell, widths[at], at)).join(' | ')} |`,
  )
  return [`${date}, Node ${node}, median of ${rounds} rounds`, '', ...lines].join('\n')
}

function rowOf({ name, versions, milliseconds, ratio, kilobytes, installed }) {
  const { median, min, max } = milliseconds
  return [
    name,
    versions.join(', '),
    median.toFixed(0),
    `${min.toFixed(0)}-${max.toFixed(0)}`,
    ratio.toFixed(2),
    Number.isNaN(kilobytes) ? '-' : (kilobytes / 1024).toFixed(0),
    String(installed.packages),
    (installed.bytes / 1e6).toFixed(1),
  ]
}

function pad(cell, width, column) {
  if (/^-:?$/.test(cell)) return cell.padStart(width, '-')
  return column < 2 ? cell.padEnd(width) : cell.padStart(width)
}
