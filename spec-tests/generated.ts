import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** The folder of the package, where the tests run from `dist`. */
export const root = new URL('../../', import.meta.url)

/** Compares what stands between two markers of a file with what the data makes; UPDATE=1 writes it. */
export function checkGenerated(
  t: Test,
  file: string,
  [start, end]: readonly [start: string, end: string],
  made: string,
): void {
  const path = new URL(file, root)
  const text = readFileSync(path, 'utf8')
  const from = text.indexOf(start) + start.length
  const to = text.indexOf(end, from)
  if (from < start.length || to < 0) return void t.fail(`${file} has ${start} and ${end}`)
  if (process.env['UPDATE'] === '1') {
    writeFileSync(path, `${text.slice(0, from)}${made}${text.slice(to)}`)
    return
  }
  const test = relative(fileURLToPath(root), process.argv[1] ?? '')
  t.equal(text.slice(from, to), made, `${file} is as the data makes it; UPDATE=1 node ${test}`)
}

/** Compares a table of a page of docs, between `<!-- name -->` and `<!-- / -->`. */
export function checkTable(t: Test, page: string, name: string, rows: readonly string[][]): void {
  const [titles = '', ...lines] = rows.map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`,
  )
  const ruler = `|${'---|'.repeat(rows[0]?.length ?? 0)}\n`
  const made = [titles, ruler, ...lines].join('')
  checkGenerated(t, page, [`<!-- generated: ${name} -->\n`, '<!-- end -->'], made)
}
