import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { finish } from './finish.js'
import { editionNames, isBetween } from '../../src/conformance/suite/editions.js'
import { fill } from '../../src/conformance/run/run-steps.js'
import type { FixtureStep, RawOperation } from '../../src/conformance/suite/fixture.js'
import { applicable, applicableOf } from '../../src/conformance/judge/judge.js'
import { readStatements } from '../../src/conformance/suite/statements.js'
import { fixturesFolder, openFixtures } from '../../src/conformance/suite/fixture-files.js'
import { readSuite, type Case } from '../../src/conformance/suite/suite.js'
import { readFixtures } from './read-fixtures.js'

const { probes, invariants, cases } = readSuite()
const all = [...probes, ...cases, ...invariants]
const editions = editionNames.map((edition) => ({ edition, statements: readStatements(edition) }))

void t.test('every statement of next says which proposal it is from', async (t) => {
  const next = readStatements('next')
  for (const { id, source } of next.values()) {
    if (id.startsWith('NX-')) t.match(source, /\/pull\/\d+/, id)
  }
})

const known = new Set(editions.flatMap(({ statements }) => [...statements.keys()]))
const templates = { 'url.scheme': '', 'url.path': '', 'url.query': '', host: '', headers: '' }
const standardTemplates = { ...templates, 'standard.id': '', 'standard.name': '' }

function assertionsOf({ expect = [], steps = [] }: Case) {
  return [...expect, ...steps.flatMap((step) => step.expect ?? [])]
}

const ajv = new Ajv2020({ strictTypes: false, strictRequired: false })
ajv.addSchema(readFixtures('meta/fixture.schema.json') as object, 'fixture')

void t.test('every file of cases is valid by the schema, and read', async (t) => {
  const validate = ajv.compile({ $ref: 'fixture#' })
  // Directly in "optional" there are settings for targets.
  const ofCases = /^(?:core|accept|get|errors|http|raw|optional\/[^/]+)\/.*\.json$/
  const folders = openFixtures(fixturesFolder).paths.filter((path) => ofCases.test(path))
  const ids: string[] = []
  for (const file of ['probes.json', 'invariants.json', ...folders]) {
    const family = readFixtures(file) as readonly { readonly id: string }[]
    t.ok(validate(family), `${file}: ${ajv.errorsText(validate.errors)}`)
    ids.push(...family.map(({ id }) => id))
  }
  t.strictSame(ids.toSorted(), all.map(({ id }) => id).toSorted())
  t.equal(new Set(ids).size, ids.length, 'each id once')
})

const checks = readFixtures('checks.json') as Record<string, unknown>
const { paths, read } = openFixtures(fixturesFolder)
const written = paths
  .filter((path) => /^(?!manifest|meta|selftest|statements).*\.json$/.test(path))
  .map(read)

void t.test('checks.json is valid by the schema, and every check is cited', async (t) => {
  const validate = ajv.compile({ $ref: 'fixture#/$defs/checks' })
  t.ok(validate(checks), ajv.errorsText(validate.errors))
  const words = new Set(written.flatMap((text) => text.match(/"[a-z0-9-]+"(?!:)/g) ?? []))
  const unused = Object.keys(checks).filter((name) => !words.has(`"${name}"`))
  t.strictSame(unused, [])
})

function membersOf(name: string): readonly string[] {
  const { check, ...own } = checks[name] as { readonly check?: string }
  return [...Object.keys(own), ...(check === undefined ? [] : membersOf(check))]
}

/** Members that the cited check has, too, and lists that are cited where one assertion is expected. */
function misplaced(value: unknown, place: string): readonly string[] {
  // In checks.json, a list stands beside its name.
  const isForLists = place === 'expect' || Array.isArray(checks[place])
  if (typeof value === 'string') return !isForLists && Array.isArray(checks[value]) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  const { check } = value as { readonly check?: unknown }
  const twice = typeof check === 'string' ? membersOf(check).filter((name) => name in value) : []
  const inner = Object.entries(value).flatMap(([name, one]) =>
    misplaced(one, Array.isArray(value) ? place : name),
  )
  return [...twice, ...inner]
}

void t.test('a check has members of its own, and only `expect` cites a list', async (t) => {
  t.strictSame(
    written.flatMap((text) => misplaced(JSON.parse(text), 'expect')),
    [],
  )
})

void t.test('what a fixture refers to is there', async (t) => {
  const declared = Object.keys(readFixtures('capabilities.json') as Record<string, string>)
  const yielded = new Set([...probes.flatMap(({ yields = [] }) => yields), ...declared])
  const ids = new Set(cases.map(({ id }) => id))
  for (const one of all) {
    for (const { statement, info } of assertionsOf(one)) {
      const isCited = statement === undefined ? info : known.has(statement)
      if (!isCited) t.fail(`${one.id} cites ${statement ?? 'nothing'}`)
    }
    for (const need of one.needs ?? []) {
      if (!yielded.has(need.replace(/^!/, ''))) t.fail(`${one.id}: no probe yields ${need}`)
    }
    for (const id of one.dependsOn ?? []) {
      if (!ids.has(id)) t.fail(`${one.id} depends on ${id}, which is not there`)
    }
    const values: Record<string, string> =
      one.cleanup === 'standard.reset' ? { ...standardTemplates } : { ...templates }
    for (const { save } of one.steps ?? []) {
      for (const field of ['etag', 'body', 'data.openSources']) values[`${save}.${field}`] = ''
    }
    t.doesNotThrow(() => fill(one.steps ?? [], values), `the templates of ${one.id}`)
  }
})

void t.test('each case is part of an edition, and each assertion demands something', async (t) => {
  for (const one of all) {
    const { from, until } = one.editions ?? {}
    const parts = editions.flatMap((rules) => applicableOf(one, rules))
    t.not(parts.length, 0, `${one.id} is part of an edition`)
    const its = editions.filter(({ edition }) => isBetween(edition, from, until))
    for (const assertion of assertionsOf(one)) {
      const live = its.flatMap((rules) => applicable([assertion], rules))
      if (live.length === 0) t.fail(`${one.id} demands nothing by ${JSON.stringify(assertion)}`)
    }
  }
})

void t.test('every step sends the headers of the user once a head, or says why not', async (t) => {
  for (const one of [...probes, ...cases]) {
    for (const [at, step] of (one.steps ?? []).entries()) {
      const sends = step.raw === undefined ? !setsCredential(step) : sendsHeaders(step.raw)
      const name = `step ${at + 1} of ${one.id}`
      if (step.wait === undefined && sends === (step.withoutHeaders !== undefined)) t.fail(name)
    }
  }
})

const credentials = /^(?:proxy-)?authorization$|^cookie$/

function setsCredential({ request }: FixtureStep): boolean {
  return Object.keys(request?.headers ?? {}).some((name) => credentials.test(name))
}

/** A head for the target names its path; what is hidden in a body does not, and must not have them. */
function sendsHeaders(operations: readonly RawOperation[]): boolean {
  const text = operations.map(rawText).join('')
  const heads = Math.max(1, text.split('${url.path}').length - 1)
  return text.split('${headers}').length - 1 === heads
}

void t.test('every pattern says in words what it asks for', async (t) => {
  for (const one of all) {
    for (const check of patternsOf(assertionsOf(one))) {
      if (!Object.hasOwn(check, 'means')) t.fail(`${one.id}: ${JSON.stringify(check)}`)
    }
  }
})

/** What a target may send so that a pattern never comes to an end. */
// oxfmt-ignore
const hostile = [' ', '\t,', 'a', 'a ', 'a, ', 'a ,', 'a;   ,', '"', '"a" ;  , ', '0', 'max-age  ', 'a.', ';  ']
  .flatMap((piece) => [piece, `a${piece}`, `"${piece}`, `max-age=${piece}`])
  .map((text) => `${text.repeat(10_000)}\u0001`)

void t.test('no pattern takes long, whatever the target sends', async (t) => {
  const found = all.flatMap((one) => patternsOf(assertionsOf(one)))
  for (const pattern of new Set(found.map((check) => check.pattern))) {
    const expression = new RegExp(pattern, 'i')
    t.doesNotThrow(() => finish(() => hostile.filter((text) => expression.test(text))), pattern)
  }
})

/** Whatever has a pattern, however deep. */
function patternsOf(value: unknown): readonly { readonly pattern: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(patternsOf)
  return Object.hasOwn(value, 'pattern') ? [value as { readonly pattern: string }, ...inner] : inner
}

void t.test('only a case of the standard schema changes state, and gives it back', async (t) => {
  for (const one of [...probes, ...cases]) {
    if (one.cleanup !== undefined) {
      t.ok(one.serial === true && one.schema === 'standard', `${one.id} is alone with its state`)
    }
    const texts = (one.steps ?? []).map(textOf)
    if (one.schema === 'standard') {
      // What renames nobody, or one who is not there, has nothing to give back.
      const renames = texts.some((text) => /renamePerson\(id: (?!\\*"nobody)/.test(text))
      t.ok(!renames || one.cleanup === 'standard.reset', `${one.id} gives the name back`)
    } else {
      const changing = texts.flatMap(mutationsOf).filter((fields) => !typenames.test(fields))
      t.strictSame(changing, [], `${one.id} changes nothing`)
    }
  }
})

const typenames = /^(?:\s*(?:\w+\s*:\s*)?__typename\b(?:\s*@\w+(?:\([^)]*\))?)*,?\s*)+$/

/** The selections of the mutations in a text. */
function mutationsOf(text: string): string[] {
  return [...text.matchAll(/\bmutation\b[^{}]*\{([^{}]*)/g)].map(([, fields = '']) => fields)
}

/** What a step sends, decoded as far as it is escaped for a URL. */
function textOf({ request, raw = [], stream = [], socket = [] }: FixtureStep): string {
  const { query, rawQuery = '', text = '', hex = '', json } = request ?? {}
  const parts = (request?.parts ?? []).map((part) => (typeof part === 'string' ? part : part.text))
  return [
    ...[...stream, ...socket].map((operation) => JSON.stringify(operation)),
    JSON.stringify(json ?? ''),
    ...Object.values(query ?? {}),
    parts.join(''),
    ...[rawQuery, text, fromHex(hex), raw.map(rawText).join('')].map(unescapeUrl),
  ].join('\n')
}

function rawText({ chunk, text, hex = '' }: RawOperation): string {
  if (chunk !== undefined) return chunk === 'end' ? '' : rawText(chunk)
  return text ?? fromHex(hex)
}

function fromHex(hex: string): string {
  return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex').toString('latin1')
}

function unescapeUrl(text: string): string {
  return text.replaceAll('+', ' ').replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => fromHex(hex))
}
