const head = `<!-- Written by \`npm run report:cold-start\`, one section for each version of Node. Do not edit. -->

# Cold start: results

What is measured, and how: [cold start](../performance.md#cold-start).
`

/** The page with the section of this version of Node replaced or added. */
export function formatPage(report, page) {
  const title = (node) => `## Node ${node.split('.')[0]}\n`
  const [, ...sections] = page.split(/^(?=## Node )/m)
  const others = sections.filter((section) => !section.startsWith(title(report.node)))
  const own = `${title(report.node)}\n${formatTable(report)}\n`
  const inOrder = new Intl.Collator('en', { numeric: true }).compare
  const all = [...others, own].map((section) => section.trimEnd()).toSorted(inOrder)
  return `${[head.trimEnd(), ...all].join('\n\n')}\n`
}

/** The report as a table of Markdown. */
export function formatTable({ date, node, machine, rounds, contenders }) {
  const rows = [
    [
      '',
      'with',
      'first response, ms',
      'min-max',
      'ratio',
      'ratio of CPU',
      'memory, MB',
      'packages',
      'installed, MB',
    ],
    ['-', '-', '-:', '-:', '-:', '-:', '-:', '-:', '-:'],
    ...contenders.map(rowOf),
  ]
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)))
  const lines = rows.map(
    (row) => `| ${row.map((cell, at) => pad(cell, widths[at], at)).join(' | ')} |`,
  )
  return [`${date}, Node ${node}, ${machine}, median of ${rounds} rounds.`, '', ...lines].join('\n')
}

function rowOf({ name, versions, milliseconds, ratio, cpuRatio, kilobytes, installed }) {
  const { median, min, max } = milliseconds
  return [
    name,
    versions.join(', '),
    median.toFixed(0),
    `${min.toFixed(0)}-${max.toFixed(0)}`,
    ratio.toFixed(2),
    Number.isNaN(cpuRatio) ? '-' : cpuRatio.toFixed(2),
    Number.isNaN(kilobytes) ? '-' : (kilobytes / 1024).toFixed(0),
    String(installed.packages),
    (installed.bytes / 1e6).toFixed(1),
  ]
}

function pad(cell, width, column) {
  if (/^-:?$/.test(cell)) return cell.padStart(width, '-')
  return column < 2 ? cell.padEnd(width) : cell.padStart(width)
}
