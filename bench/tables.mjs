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
