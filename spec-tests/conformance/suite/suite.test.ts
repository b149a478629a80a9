import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { readSuite, type Suite } from '../../../src/conformance/suite/suite.js'

interface Files {
  readonly [path: string]: unknown
}

const answered = { status: '2xx', json: { '/data': { type: 'object' } } }
const noErrors = { json: { '/errors': { absent: true } } }

/** Reads a suite that consists of these files. */
function read(t: Test, files: Files): Suite {
  const folder = t.testdir()
  for (const name of ['core', 'accept', 'get', 'errors', 'http', 'raw', 'optional']) {
    mkdirSync(join(folder, name))
  }
  const everything = { 'checks.json': {}, 'probes.json': [], 'invariants.json': [], ...files }
  for (const [path, content] of Object.entries(everything)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(folder, path), text)
  }
  return readSuite(pathToFileURL(`${folder}/`))
}

function aCase(...expect: readonly unknown[]): object {
  return { id: 'core.a', title: 'A', steps: [{ request: {}, expect }] }
}

// oxfmt-ignore
const resolved: readonly [written: string, checks: Files, expect: unknown, made: unknown][] = [
  ['an assertion without names', {}, { statement: 'RQ-1', status: 200 }, [{ statement: 'RQ-1', status: 200 }]],
  ['a name of a cited assertion', { ok: { statement: 'RQ-1', status: 200 } }, 'ok', [{ statement: 'RQ-1', status: 200 }]],
  ['a name of several', { both: [{ info: true, status: 200 }, 'ok'], ok: { statement: 'RQ-1', ...answered } }, 'both', [{ info: true, status: 200 }, { statement: 'RQ-1', ...answered }]],
  ['a check beside members', { answered }, { statement: 'RQ-1', check: 'answered', note: 'N' }, [{ statement: 'RQ-1', note: 'N', ...answered }]],
  ['a check that cites one', { answered, more: { check: 'answered', header: {} } }, { info: true, check: 'more' }, [{ info: true, header: {}, ...answered }]],
  ['a name after not', { answered }, { info: true, not: 'answered' }, [{ info: true, not: answered }]],
  // oxlint-disable-next-line unicorn/no-thenable -- so the format calls it
  ['names after when and then', { answered, noErrors }, { info: true, when: 'answered', then: 'noErrors' }, [{ info: true, when: answered, then: noErrors }]],
  ['names in oneOf and allOf', { answered, noErrors }, { info: true, oneOf: ['answered', { allOf: ['noErrors'] }] }, [{ info: true, oneOf: [answered, { allOf: [noErrors] }] }]],
  ['names by edition', { answered, noErrors }, { info: true, by: { '..2026-04': 'answered', '2026-09..': { check: 'noErrors', status: 200 } } }, [{ info: true, by: { '..2026-04': answered, '2026-09..': { status: 200, ...noErrors } } }]],
  ['a text that is equal to a name', { answered }, { info: true, json: { '/data/a': { const: 'answered' } } }, [{ info: true, json: { '/data/a': { const: 'answered' } } }]],
]

for (const [written, checks, expect, made] of resolved) {
  t.test(`${written} is resolved`, async (t) => {
    const { cases } = read(t, { 'checks.json': checks, 'core/a.json': [aCase(expect)] })
    t.strictSame(cases[0]?.steps?.[0]?.expect, made)
  })
}

t.test('named checks can be used in the conditions of steps and in invariants too', async (t) => {
  const expect = [{ info: true, not: 'answered' }]
  const steps = [{ wait: 1, when: { first: 'answered' } }]
  const { invariants, cases } = read(t, {
    'checks.json': { answered },
    'invariants.json': [{ id: 'invariant.a', title: 'A', expect }],
    'core/a.json': [{ id: 'core.a', title: 'A', steps }],
  })
  t.strictSame(invariants[0]?.expect, [{ info: true, not: answered }])
  t.strictSame(cases[0]?.steps?.[0]?.when, { first: answered })
})

t.test('cases come in the order of suites, files and lists', async (t) => {
  const steps = [{ wait: 1 }]
  const family = (...ids: readonly string[]) => ids.map((id) => ({ id, title: id, steps }))
  const { cases } = read(t, {
    'get/a.json': family('get.a'),
    'core/b.json': family('core.b'),
    'core/a.json': family('core.z', 'core.a'),
  })
  const order = cases.map(({ id, suite }) => `${suite}: ${id}`).join()
  t.equal(order, 'core: core.z,core: core.a,core: core.b,get: get.a')
})

const answeredName = { 'checks.json': { answered } }

// oxfmt-ignore
const mistakes: readonly [mistake: string, files: Files, message: string][] = [
  ['an unknown check', { ...answeredName, 'core/a.json': [aCase({ info: true, not: 'answerd' })] }, 'core/a.json, case "core.a": checks.json has no check "answerd".'],
  ['the name of an inherited member', { 'core/a.json': [aCase({ info: true, check: 'toString' })] }, 'core/a.json, case "core.a": checks.json has no check "toString".'],
]

for (const [mistake, files, message] of mistakes) {
  t.test(`${mistake} is named`, async (t) => {
    t.throws(() => read(t, files), { message })
  })
}

t.test('a file that is not JSON is named', async (t) => {
  t.throws(() => read(t, { 'core/a.json': '[' }), { message: /^core\/a\.json: .*JSON/ })
  t.throws(() => read(t, { 'checks.json': '{' }), { message: /^checks\.json: .*JSON/ })
})
