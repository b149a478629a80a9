// Runs the compiled tests, or only those whose paths contain a word: `node spec-tests/run.mjs hosts/node uploads`.
import { readdirSync } from 'node:fs'
import { runFiles } from './run-files.mjs'

const words = process.argv.slice(2)
const files = ['dist/spec-tests', 'people/dist/spec-tests']
  .flatMap((folder) => listTests(folder))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
if (files.length === 0) {
  console.error(`run: no compiled test has ${words.join(' or ')} in its path`)
  process.exit(2)
}

// Attacks measure how long others wait, so nothing else runs beside one.
const isAttack = (file) => file.startsWith('dist/spec-tests/attacks/')
const attacks = files.filter(isAttack)
const others = files.filter((file) => !isAttack(file))
let failed = 0
if (others.length > 0) failed += await runFiles(others)
if (attacks.length > 0) failed += await runFiles(attacks, { lanes: 1 })
console.log(`${files.length - failed} files passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function listTests(folder) {
  const names = readdirSync(new URL(`../${folder}`, import.meta.url), {
    recursive: true,
    encoding: 'utf8',
  })
  const tests = names.filter((name) => name.endsWith('.test.js'))
  return tests.toSorted().map((name) => `${folder}/${name}`)
}
