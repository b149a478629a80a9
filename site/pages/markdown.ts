import { readRoot } from './read-root.js'

/** A row of a table of Markdown, with the titles of its page's section above it. */
export interface QuotedRow {
  readonly section: string
  readonly part: string
  readonly head: readonly string[]
  readonly cells: readonly string[]
}

export function readTables(page: string): readonly QuotedRow[] {
  const rows: QuotedRow[] = []
  let section = ''
  let part = ''
  let head: readonly string[] | undefined
  for (const line of readRoot(page).split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3)
    if (/^##+ /.test(line)) part = line.startsWith('### ') ? line.slice(4) : ''
    if (!line.startsWith('|')) head = undefined
    else if (head === undefined) head = cellsOf(line)
    else if (!/^\| ?:?-/.test(line)) rows.push({ section, part, head, cells: cellsOf(line) })
  }
  return rows
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** A table of Markdown; some columns are numbers. */
export function formatTable(
  rows: readonly (readonly string[])[],
  isNumber: (column: number) => boolean = () => false,
): string {
  const [head = [], ...body] = rows
  const lines = [head, head.map((_, at) => (isNumber(at) ? '--:' : '---')), ...body]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export function joinSections(sections: readonly (string | undefined)[]): string {
  return `${sections.filter((one) => one !== undefined && one !== '').join('\n\n')}\n`
}
