// Which code of `dist/src` each fast test runs, kept in `dist/mutate-coverage.json`. Each test runs in a process of its own:
// what a module does when it is imported, or does once, is reached by all tests that need it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('../../', import.meta.url)
const kept = new URL('dist/mutate-coverage.json', root)
export const hash = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex')
const read = (file) => readFileSync(new URL(file, root), 'utf8')

/** The seconds each test takes, and the ranges of each module that it runs. Only what has changed runs again. */
export async function measureReach(tests, modules) {
  const version = hash(...modules.map(read))
  const known = readKept(version)
  const reach = {}
  const left = [...tests]
  const lane = async () => {
    for (let test = left.shift(); test !== undefined; test = left.shift()) {
      const own = hash(...textsOf(test))
      reach[test] = known[test]?.own === own ? known[test] : { own, ...(await measure(test)) }
      if (reach[test].ranges === undefined) console.error(`fails without a change: ${test}`)
    }
  }
  await Promise.all([lane(), lane()])
  writeFileSync(kept, JSON.stringify({ version, reach }))
  return { version, reach }
}

/** The texts of a test and of what it imports beside the sources, once each. */
function textsOf(file, seen = new Set()) {
  if (seen.has(file)) return []
  seen.add(file)
  const text = read(file)
  const imports = [...text.matchAll(/\bfrom '(\.[^']+)'/g)]
    .map(([, name]) => join(file, '..', name))
    .filter((path) => path.includes('spec-tests/') && existsSync(new URL(path, root)))
  return [text, ...imports.flatMap((path) => textsOf(path, seen))]
}

function readKept(version) {
  try {
    const { reach, ...rest } = JSON.parse(readFileSync(kept, 'utf8'))
    return rest.version === version ? reach : {}
  } catch {
    return {}
  }
}

async function measure(test) {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'))
  const since = performance.now()
  const env = { ...process.env, NODE_V8_COVERAGE: folder, TAP_TIMEOUT: '0' }
  const child = spawn(process.execPath, [test], { cwd: root, env, stdio: 'ignore' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  const seconds = (performance.now() - since) / 1000
  const scripts = readdirSync(folder).flatMap(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result,
  )
  rmSync(folder, { recursive: true })
  if (code !== 0) return { seconds }
  const source = new URL('dist/src/', root).href
  const ranges = {}
  for (const { url, functions } of scripts) {
    if (url.startsWith(source))
      (ranges[url.slice(root.href.length)] ??= []).push(...toRanges(functions))
  }
  return { seconds, ranges }
}

/** The starts and ends of what ran. A range decides over the one around it. */
function toRanges(functions) {
  const ranges = functions
    .flatMap((one) => one.ranges)
    .toSorted(
      (one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset,
    )
  const ran = new Uint8Array(Math.max(...ranges.map(({ endOffset }) => endOffset)) + 1)
  for (const { startOffset, endOffset, count } of ranges)
    ran.fill(count > 0, startOffset, endOffset)
  const edges = []
  for (let at = 0; at < ran.length; at += 1) {
    if (ran[at] !== (ran[at - 1] ?? 0)) edges.push(at)
  }
  return Array.from({ length: edges.length / 2 }, (_, at) => edges.slice(2 * at, 2 * at + 2))
}

/** The tests that reach a position of a module: those that import it, then those of its folder, each from the fastest. */
export function testsThatReach(reach, module, position) {
  const folders = module.split('/').slice(2)
  const rank = (test) => {
    if (read(test).includes(`${module.slice('dist'.length)}'`)) return -Infinity
    const names = test.startsWith('people/') ? [] : test.split('/').slice(2)
    return -names.findIndex((name, at) => name !== folders[at])
  }
  const reaches = ({ ranges }) =>
    ranges?.[module]?.some(([start, end]) => start <= position && position < end)
  return Object.entries(reach)
    .filter(([, one]) => reaches(one))
    .map(([test, { seconds }]) => ({ test, rank: rank(test), seconds }))
    .toSorted((one, other) =>
      one.rank === other.rank ? one.seconds - other.seconds : one.rank < other.rank ? -1 : 1,
    )
    .map(({ test }) => test)
}
