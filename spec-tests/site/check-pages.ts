import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Test } from 'tap'

const root = new URL('../../../', import.meta.url)

/** Reads a file of the repository. */
export function readRoot(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

/** Compares the pages of a folder with those that were made; UPDATE=1 writes them and deletes the others. */
export function checkPages(
  t: Test,
  folder: string,
  test: string,
  made: ReadonlyMap<string, string>,
): void {
  const there = new URL(`${folder}/`, root)
  if (isUpdate) rmSync(there, { recursive: true, force: true })
  mkdirSync(there, { recursive: true })
  for (const [name, text] of made) checkFile(t, `${folder}/${name}`, test, text)
  t.strictSame(readdirSync(there).toSorted(), [...made.keys()].toSorted(), commandOf(test))
}

/** Compares a page with what was made; UPDATE=1 writes it. */
export function checkFile(t: Test, path: string, test: string, made: string): void {
  const wanted = `<!-- Written by \`${commandOf(test)}\`. Do not edit. -->\n\n${made}`
  if (isUpdate) writeFileSync(new URL(path, root), wanted)
  t.equal(readRoot(path), wanted, `${path}: ${commandOf(test)}`)
}

const isUpdate = process.env['UPDATE'] === '1'

function commandOf(test: string): string {
  return `UPDATE=1 node dist/spec-tests/${test}.test.js`
}
