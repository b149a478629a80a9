import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TextExecutor } from '../../../compiled/differential/executors.js'
import type { Mutant } from './mutants.js'

const room = new URL('../../../../src/compiled/', import.meta.url)

/** A copy of the executor with one text replaced. Everything outside its folder is shared with the original. */
export async function loadMutant({ name, file, from, to }: Mutant): Promise<TextExecutor> {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    for (const each of readdirSync(room)) {
      if (!each.endsWith('.js')) continue
      const text = readFileSync(new URL(each, room), 'utf8')
      const own = each === `${file}.js` ? replaceOnce(name, text, from, to) : text
      const outside = own.replaceAll("from '../", `from '${new URL('../', room).href}`)
      writeFileSync(join(folder, each), outside)
    }
    const entry = pathToFileURL(join(folder, 'execute-text.js')).href
    const { executeText } = (await import(entry)) as { executeText: TextExecutor }
    return executeText
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A mutant that changes nothing would not be noticed, and prove nothing. */
function replaceOnce(name: string, text: string, from: string, to: string): string {
  const count = text.split(from).length - 1
  if (count === 0) throw new Error(`mutant "${name}": ${JSON.stringify(from)} is not in its file`)
  return text.replaceAll(from, () => to)
}
