import { tracingChannel } from 'node:diagnostics_channel'
import type { FieldNode } from 'graphql'
import t, { type Test } from 'tap'
import type { ValidationRule } from '../../../src/graphql/js/graphql.js'
import { thrower } from '../../base/thrower.js'
import { corpusOf, createPair, difference, majors } from './validation-corpus/compare.js'
import type { Pair, TestedGraphQL } from './validation-corpus/compare.js'

/** Rules of embedders, which graphql-js runs behind its own. */
function foreignRules({ BREAK, GraphQLError }: TestedGraphQL) {
  const rename = (node: FieldNode) => ({ ...node, name: { kind: 'Name', value: 'other' } })
  return {
    'reports of all nodes, with types': (context) => ({
      enter(node) {
        const message = `${node.kind} ${String(context.getType())}`
        context.reportError(new GraphQLError(message, { nodes: node }))
      },
    }),
    'a state that it reports in the end': (context) => {
      let fields = 0
      return {
        Field: () => void fields++,
        Document: { leave: () => context.reportError(new GraphQLError(`${fields} fields`)) },
      }
    },
    'the whole document skipped': () => ({ Document: () => false }),
    'enough on enter': () => ({ Field: () => BREAK }),
    'fields renamed on enter': () => ({ Field: rename as never }),
    'fields removed on leave': () => ({ Field: { leave: () => null } }),
    'a throw in a visit': () => ({ Field: thrower(new RangeError('too deep')) }),
    'no visitor': () => undefined as never,
  } satisfies { readonly [title: string]: ValidationRule }
}

for (const module of majors) {
  const { specifiedRules, NoSchemaIntrospectionCustomRule, version } = module
  const corpus = corpusOf(module)

  const compare = (t: Test, pairs: readonly Pair[]): void => {
    for (const { schema, source, document } of corpus) {
      for (const { own, merged } of pairs) {
        const differs = difference(own(schema, document), merged(schema, document))
        if (differs !== undefined) t.equal(differs, undefined, source)
      }
    }
  }

  void t.test(`every rule of graphql ${version} finds something in the documents`, async (t) => {
    for (const rule of specifiedRules) {
      const isWrong = ({ schema, document }: (typeof corpus)[number]) =>
        module.validate(schema, document, [rule]).length > 0
      t.ok(corpus.some(isWrong), rule.name)
    }
  })

  void t.test(`merged they give the errors of graphql ${version}`, async (t) => {
    const every = [...specifiedRules, NoSchemaIntrospectionCustomRule]
    const limited = createPair(module, every, { maxErrors: 1, hideSuggestions: true })
    compare(t, [createPair(module, specifiedRules), limited])
  })

  for (const [title, rule] of Object.entries(foreignRules(module))) {
    void t.test(`${title}: beside the rules of graphql ${version}`, async (t) => {
      // oxfmt-ignore
      const places: readonly (readonly ValidationRule[])[] = [
        [rule,                          ...specifiedRules],
        [...specifiedRules,             rule, rule],
        [...specifiedRules.slice(0, 9), rule, ...specifiedRules.slice(9)],
      ]
      const pairs = places.map((rules) => createPair(module, rules, { maxErrors: 8 }))
      compare(t, pairs)
    })
  }

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
