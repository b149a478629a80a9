import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { editionNames, isBetween } from '../../src/conformance/editions.js'
import { fill } from '../../src/conformance/fill.js'
import type { RawOperation, Step } from '../../src/conformance/fixture.js'
import { applicable, applicableOf } from '../../src/conformance/judge.js'
import { readStatements } from '../../src/conformance/statements.js'
import { fixturesFolder, readSuite, type Case } from '../../src/conformance/suite.js'

const { probes, invariants, cases } = readSuite()
const all = [...probes, ...cases, ...invariants]
const editions = editionNames.map((name) => ({
  name,
  statements: readStatements(fixturesFolder, name),
}))
const known = new Set(editions.flatMap(({ statements }) => [...statements.keys()]))
const templates = { 'url.scheme': '', 'url.path': '', 'url.query': '', host: '', headers: '' }
const standardTemplates = { ...templates, 'standard.id': '', 'standard.name': '' }

function assertionsOf({ expect = [], steps = [] }: Case) {
  return [...expect, ...steps.flatMap((step) => step.expect ?? [])]
}

void t.test('every fixture is valid by the schema and has its id as name', async (t) => {
  const schema = readFileSync(new URL('meta/fixture.schema.json', fixturesFolder), 'utf8')
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false })
  const validate = ajv.compile(JSON.parse(schema) as object)
  const folders = ['probes', 'invariants', 'core', 'accept', 'get', 'errors', 'http', 'raw']
  const files = [...folders, 'optional'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, fixturesFolder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      // Beside the suites there are settings for targets.
      .filter((name) => folder !== 'optional' || name.includes('/'))
      .map((name) => `${folder}/${name}`),
  )
  t.equal(files.length, all.length, 'the runner reads all files')
  for (const file of files) {
    const fixture = JSON.parse(readFileSync(new URL(file, fixturesFolder), 'utf8')) as Case
    const isValid = validate(fixture)
    if (!isValid) t.fail(`${file}: ${ajv.errorsText(validate.errors)}`)
    if (fixture.id !== basename(file, '.json')) t.fail(`${file} has the id ${fixture.id}`)
  }
})

void t.test('no two fixtures have one id', async (t) => {
  const ids = all.map(({ id }) => id)
  t.strictSame(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  )
})

void t.test('what a fixture refers to is there', async (t) => {
  const declared = JSON.parse(
    readFileSync(new URL('capabilities.json', fixturesFolder), 'utf8'),
  ) as Record<string, string>
  const yielded = new Set([
    ...probes.flatMap(({ yields = [] }) => yields),
    ...Object.keys(declared),
  ])
  const ids = new Set(cases.map(({ id }) => id))
  for (const one of all) {
    for (const { statement } of assertionsOf(one)) {
      if (statement !== undefined && !known.has(statement)) t.fail(`${one.id} cites ${statement}`)
    }
    for (const need of one.needs ?? []) {
      if (!yielded.has(need.replace(/^!/, ''))) t.fail(`${one.id}: no probe yields ${need}`)
    }
    for (const id of one.dependsOn ?? []) {
      if (!ids.has(id)) t.fail(`${one.id} depends on ${id}, which is not there`)
    }
    const saved = (one.steps ?? []).flatMap(({ save }) => save ?? [])
    const fields = Object.fromEntries(saved.map((name) => [`${name}.etag`, '']))
    const values = { ...(one.schema === 'standard' ? standardTemplates : templates), ...fields }
    t.doesNotThrow(() => fill(one.steps ?? [], values), `the templates of ${one.id}`)
  }
})

void t.test(
  'every case is part of an edition, and every assertion demands something',
  async (t) => {
    for (const one of all) {
      const { from, until } = one.editions ?? {}
      const isPart = editions.some(
        ({ name, statements }) => applicableOf(one, statements, name).length > 0,
      )
      t.ok(isPart, `${one.id} is part of an edition`)
      for (const assertion of assertionsOf(one)) {
        const isLive = editions.some(
          ({ name, statements }) =>
            isBetween(name, from, until) && applicable([assertion], statements, name).length > 0,
        )
        if (!isLive) t.fail(`${one.id} demands nothing by ${JSON.stringify(assertion)}`)
      }
    }
  },
)

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
function textOf({ request, raw = [] }: Step): string {
  const { query, rawQuery = '', text = '', hex = '', json, before = '', after = '' } = request ?? {}
  const parts = (request?.parts ?? []).map((part) => (typeof part === 'string' ? part : part.text))
  return [
    JSON.stringify(json ?? ''),
    ...Object.values(query ?? {}),
    parts.join(''),
    ...[rawQuery, text, before, after, fromHex(hex), raw.map(rawText).join('')].map(unescapeUrl),
  ].join('\n')
}

function rawText(operation: RawOperation): string {
  if ('chunk' in operation) return operation.chunk === 'end' ? '' : rawText(operation.chunk)
  if ('text' in operation) return operation.text
  return 'hex' in operation ? fromHex(operation.hex) : ''
}

function fromHex(hex: string): string {
  return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex').toString('latin1')
}

function unescapeUrl(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
}
