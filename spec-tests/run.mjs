// Runs compiled tests. Without arguments: the fast ones. `--exhaustive` runs the others, `--changed` those of both that a
// change since the last commit can reach, and words those whose paths contain one of them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listTests, runFiles } from './run-files.mjs'

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const unknown = flags.find((flag) => flag !== '--exhaustive' && flag !== '--changed')
if (unknown !== undefined) fail(`${unknown}: use --exhaustive, --changed or words`)

const areExhaustive = flags.includes('--exhaustive')
const areOfBoth = !areExhaustive && (words.length > 0 || flags.length > 0)
const isReached = flags.includes('--changed') ? reachOfChange() : () => true
const files = ['dist/spec-tests', 'dist/packages', 'people/dist/spec-tests']
  .flatMap((folder) => listTests(folder))
  .filter((file) => areOfBoth || file.includes('/exhaustive/') === areExhaustive)
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => isReached(file))
if (files.length === 0) fail('no compiled test matches')
process.exitCode = (await runFiles(files)) === 0 ? 0 : 1

/** Whether a test imports, through whatever modules, a file that differs from the last commit. */
function reachOfChange() {
  const git = (line) => execFileSync('git', line.split(' '), { encoding: 'utf8' }).split('\n')
  const names = [...git('diff --name-only HEAD'), ...git('ls-files -o --exclude-standard')]
  const changed = new Set(names.filter((name) => name.endsWith('.ts')).map(toCompiled))
  const answers = new Map()
  const reaches = (file) => {
    if (!answers.has(file)) {
      // Before its imports are followed, since they may lead back here.
      answers.set(file, changed.has(file))
      if (importsOf(file).some(reaches)) answers.set(file, true)
    }
    return answers.get(file)
  }
  return (file) => reaches(fileURLToPath(new URL(`../${file}`, import.meta.url)))
}

function toCompiled(name) {
  const path = name.startsWith('people/')
    ? name.replace('/', '/dist/')
    : /^packages\/[\w-]+\/src\//.test(name)
      ? name.replace('/src/', '/dist/')
      : `dist/${name}`
  return fileURLToPath(new URL(`../${path.replace(/\.ts$/, '.js')}`, import.meta.url))
}

function importsOf(file) {
  // Code in a string may import what is not there.
  if (!file.endsWith('.js') || !existsSync(file)) return []
  const found = readFileSync(file, 'utf8').matchAll(
    /(?:\bfrom|\bimport\(?)\s*'(\.[\w./-]+|@?graphwire(?:\/[\w./-]+)?)'/g,
  )
  return [...found].map(([, name]) =>
    fileURLToPath(
      name.startsWith('.') ? new URL(name, `file://${file}`) : import.meta.resolve(name),
    ),
  )
}

function fail(message) {
  console.error(`run: ${message}`)
  process.exit(2)
}
