// What the fast tests are worth: changes one thing of the engine at a time and runs the fast tests that reach it.
// `npm run mutate -- --seed 1 --count 300` samples, `--only src/http/accept.ts:12` makes the changes of a line (or the one
// that a longer place names). `--write` writes docs/reports/mutation.md.
import { fork } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { listChanges } from './mutate/changes.mjs'
import { hash, measureReach, testsThatReach } from './mutate/reach.mjs'
import { formatReport } from './mutate/report.mjs'
import { endOf } from './run-files.mjs'

const options = {
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '300' },
  only: { type: 'string' },
  write: { type: 'boolean' },
}
const { values: flags } = parseArgs({ options })
const { only } = flags
const root = new URL('../', import.meta.url)
const together = fileURLToPath(new URL('run-together.mjs', import.meta.url))
const knownFile = new URL('dist/mutate-found.json', root)
const serveChange = new URL('mutate/serve-change.mjs', import.meta.url).href
/** Changes that make no difference, and why. */
const equivalents = new Map(
  readFileSync(new URL('mutate/equivalent.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split('\t'))
    .map(([file, from, to, reason]) => [[file, from, to].join('\n'), reason]),
)
/** What does I/O, checks servers or is optional is no part of the engine. */
const apart = /^dist\/src\/(?:hosts|cli|conformance|standard)\//

const list = (folder, end) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`)
    .toSorted()
const modules = list('dist/src', '.js').filter((file) => !apart.test(file))
const tests = ['dist/spec-tests', 'dist/packages', 'people/dist/spec-tests']
  .flatMap((folder) => list(folder, '.test.js'))
  .filter((file) => !file.includes('/exhaustive/'))

const all = modules.flatMap(listMutants)
const chosen =
  only === undefined
    ? sample(all, Number(flags.count), Number(flags.seed))
    : all.filter(({ place }) => `${place}:`.startsWith(`${String(only)}:`))
const { version, reach } = await measureReach(tests, modules)
const known = readKnown()
const left = [...chosen.entries()]
const results = []
await Promise.all([lane(), lane()])
const report = formatReport(results, { ...flags, total: all.length })
if (flags.write) writeFileSync(new URL('docs/reports/mutation.md', root), report)
else console.log(report)

function listMutants(module) {
  const url = new URL(module, root)
  const source = readFileSync(url, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(new URL(`${module}.map`, root), 'utf8')))
  const file = module.replace(/^dist\/(.*)\.js$/, '$1.ts')
  return listChanges(source).map(({ kind, start, end, text }) => {
    const lines = source.slice(0, start).split('\n')
    const { originalLine, originalColumn } = map.findEntry(lines.length - 1, lines.at(-1).length)
    const place = `${file}:${originalLine + 1}:${originalColumn + 1}:${kind}`
    const lineStart = start - lines.at(-1).length
    const rest = source.slice(end).split('\n', 1)[0]
    const toText = (changed) =>
      `${source.slice(lineStart, start)}${changed}${rest}`.replaceAll(/\s+/g, ' ').trim()
    const [from, to] = [toText(source.slice(start, end)), toText(text)]
    const reason = equivalents.get([file, from, to].join('\n'))
    const change = { url: url.href, start, end, text }
    return { module, file, place, kind, from, to, reason, change }
  })
}

/** A seed gives the same sample of the same code, and nearly the same of code that has changed elsewhere. */
function sample(from, count, seed) {
  const seen = new Map()
  const ranked = from.map((mutant) => {
    const text = [seed, mutant.file, mutant.from, mutant.to].join('\n')
    const nth = (seen.get(text) ?? 0) + 1
    seen.set(text, nth)
    return { mutant, rank: hash(text, nth) }
  })
  const ordered = ranked.toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
  return ordered.slice(0, count).map(({ mutant }) => mutant)
}

async function lane() {
  for (let entry = left.shift(); entry !== undefined; entry = left.shift()) {
    const [at, mutant] = entry
    const since = performance.now()
    const state = mutant.reason === undefined ? await stateOf(mutant) : 'equivalent'
    results[at] = { ...mutant, state }
    const seconds = ((performance.now() - since) / 1000).toFixed(1)
    console.error(`${at + 1}/${chosen.length} ${mutant.place} ${state} (${seconds} s)`)
  }
}

/** What tests have found or not, they do again while they and the sources are the same: a run that was cut off goes on. */
async function stateOf({ place, to, module, change }) {
  const reached = testsThatReach(reach, module, change.start)
  if (reached.length === 0) return 'not reached'
  const key = [version, place, to].join(' ')
  const before = known[key]
  const ownOf = (found) =>
    found ? reach[found]?.own : hash(...reached.map((test) => reach[test].own))
  if (before !== undefined && before.own === ownOf(before.test)) return before.state
  const found = await findingTest(change, reached)
  const state = found === undefined ? 'survived' : `found: ${found.how} ${found.test}`
  known[key] = { test: found?.test, own: ownOf(found?.test), state }
  writeFileSync(knownFile, JSON.stringify(known))
  return state
}

function readKnown() {
  try {
    return JSON.parse(readFileSync(knownFile, 'utf8'))
  } catch {
    return {}
  }
}

/** Runs tests with a change until one fails, and says which. */
function findingTest(change, reached) {
  const child = fork(together, {
    cwd: root,
    env: { ...process.env, TAP_TIMEOUT: '0', MUTANT: JSON.stringify(change) },
    execArgv: ['--import', serveChange],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  return new Promise((resolve) => {
    const waiting = [...reached]
    let [file, output, timer] = []
    const end = (how) => {
      clearTimeout(timer)
      child.removeAllListeners('exit').kill('SIGKILL')
      resolve(how && { how, test: file })
    }
    const next = () => {
      clearTimeout(timer)
      ;[file, output] = [waiting.shift(), '']
      if (file === undefined) return end()
      // A change can make a loop that does not end.
      timer = setTimeout(() => end('too slow'), (reach[file].seconds * 5 + 30) * 1000)
      child.send(file)
    }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const isAtEnd = output.includes(endOf(file))
      if (/^ *not ok (?!.*# (?:SKIP|TODO)).*\n/m.test(output)) end('fails')
      else if (isAtEnd && !/^ok \d+ - (?!end of)/m.test(output)) end('runs no test')
      else if (isAtEnd) next()
    })
    child.once('message', next)
    child.once('exit', () => end('ends the process'))
  })
}
