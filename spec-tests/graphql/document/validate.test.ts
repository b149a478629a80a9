import { tracingChannel } from 'node:diagnostics_channel'
import t from 'tap'
import type { ValidationRule } from '../../../src/graphql/js/graphql.js'
import { createValidate } from '../../../src/graphql/document/validate.js'
import {
  buildSchemas,
  createPair,
  difference,
  majors,
  type Log,
} from './validation-corpus/compare.js'
import { parseWith } from './validation-corpus/documents.js'
import { foreignRules } from './validation-corpus/foreign-rules.js'
import { samples } from './validation-corpus/seeds.js'

/** Every rule sees these; the whole corpus would take minutes. */
const some = samples.filter((_, index) => index % 4 === 0)

for (const module of majors) {
  const { specifiedRules, version } = module
  const schemas = buildSchemas(module)
  const log: Log = []
  const foreign = foreignRules(module, log)

  for (const [title, rule] of Object.entries(foreign)) {
    void t.test(`${title}: merged with the rules of graphql ${version}`, async (t) => {
      // oxfmt-ignore
      const places: readonly (readonly ValidationRule[])[] = [
        [rule],
        [rule,                          ...specifiedRules],
        [...specifiedRules,             rule, rule],
        [...specifiedRules.slice(0, 9), rule, ...specifiedRules.slice(9)],
      ]
      const pairs = places.map((rules) => createPair(module, rules, { maxErrors: 8 }, log))
      for (const { schema: name, source } of some) {
        const document = parseWith(module, source)
        const schema = schemas.get(name)
        if (document === undefined || schema === undefined) continue
        for (const { own, merged } of pairs) {
          const differs = difference(own(schema, document), merged(schema, document))
          if (differs !== undefined) t.equal(differs, undefined, source)
        }
      }
    })
  }

  void t.test(`a rule is called once for a document on graphql ${version}`, async (t) => {
    const contexts: object[] = []
    const unusable = () => ({ Field: { enter: 5 } }) as object
    for (const visitor of [() => ({}), unusable]) {
      contexts.length = 0
      const rule: ValidationRule = (context) => (contexts.push(context), visitor())
      const validate = createValidate(module, [rule, rule], {})
      const schema = module.buildSchema('type Query { a: Int }')
      const document = module.parse('query { __typename }')
      try {
        validate(schema, document)
      } catch (error) {
        t.match(error, /apply is not a function/)
      }
      t.equal(contexts.length, 2)
      t.equal(contexts[0], contexts[1])
    }
  })

  void t.test(`an invalid schema throws as it does on graphql ${version}`, async (t) => {
    const invalid = module.buildSchema('type Mutation { a: Int }')
    const { own, merged } = createPair(module, specifiedRules)
    const document = module.parse('{ a }')
    t.match(own(invalid, document).thrown, /Query root type must be provided/)
    t.equal(difference(own(invalid, document), merged(invalid, document)), undefined)
  })

  void t.test(`too much work aborts as it does on graphql ${version}`, async (t) => {
    const spreads = Array.from({ length: 300 }, (_, index) => `...F${index}`).join(' ')
    const operations = Array.from({ length: 200 }, (_, index) => `query Q${index} { ${spreads} }`)
    const fragments = Array.from({ length: 300 }, (_, index) => `fragment F${index} on Query { a }`)
    const document = module.parse([...operations, ...fragments].join(' '))
    const schema = module.buildSchema('type Query { a: Int }')
    const { own, merged } = createPair(module, specifiedRules)
    const seen = own(schema, document)
    t.match(seen.errors.at(-1)?.message, /^Validation aborted/)
    t.equal(difference(seen, merged(schema, document)), undefined)
  })

  void t.test(`what graphql ${version} publishes is published once`, async (t) => {
    const schema = module.buildSchema('type Query { a: Int }')
    const document = module.parse('{ a }')
    const { own, merged } = createPair(module, specifiedRules)
    const messages: object[] = []
    const subscriber = (message: unknown) => void messages.push(message as object)
    const { start } = tracingChannel('graphql:validate')
    start.subscribe(subscriber)
    t.teardown(() => start.unsubscribe(subscriber))
    own(schema, document)
    const published = messages.splice(0)
    merged(schema, document)
    t.strictSame(messages, published)
    t.equal(messages.length, version.startsWith('16.') ? 0 : 1)
  })
}
