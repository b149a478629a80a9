import t from 'tap'
import type { ValidationRule } from '../../../../src/graphql/js/graphql.js'
import {
  buildSchemas,
  createPair,
  difference,
  majors,
  type Log,
  type Pair,
  type TestedGraphQL,
} from '../../../graphql/document/validation-corpus/compare.js'
import { corpus, parseWith } from '../../../graphql/document/validation-corpus/documents.js'
import { Finds } from './validation-corpus/finds.js'
import { randomRule } from './validation-corpus/random-rule.js'
import { seeds } from '../../../graphql/document/validation-corpus/seeds.js'

const changed = 5300
const limits = [1, 5, 100, undefined]
const documents = corpus(changed)

/** How often each rule must have found something; the rarest finds more than twice as much. */
const leastFinds = 20

for (const module of majors) {
  void t.test(`the merged rules give the errors of graphql ${module.version}`, async (t) => {
    const builtSchemas = buildSchemas(module)
    const pairs = pairsOf(module)
    const foreign = foreignPairs(module)
    const finds = new Finds(module)
    const differences: string[] = []
    let [valid, invalid, aborted, compared] = [0, 0, 0, 0]
    // A third of the time would go into the stacks of errors that nobody reads.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0

    for (const [index, { schema: name, source }] of documents.entries()) {
      const schema = builtSchemas.get(name)
      if (schema === undefined) throw new Error(`There is no schema ${name}.`)
      const document = parseWith(module, source)
      if (document === undefined) continue
      const chosen = [
        ...(pairs[index % pairs.length] ?? []),
        ...(foreign[index % foreign.length] ?? []),
      ]
      for (const pair of chosen) {
        const own = pair.own(schema, document)
        const differs = difference(own, pair.merged(schema, document))
        if (differs !== undefined) differences.push(`${name}: ${source}\n${differs}`)
        if (own.errors.some(({ message }) => message.startsWith('Too many'))) aborted++
        compared++
      }
      if (finds.count(schema, document)) invalid++
      else valid++
    }

    Error.stackTraceLimit = stackTraceLimit
    const [first] = differences
    t.equal(first, undefined, `${differences.length} of ${compared} differ; the first of them`)
    t.comment(`${valid} valid and ${invalid} invalid, ${compared} comparisons, ${aborted} aborted`)
    t.comment(finds.toString())
    t.ok(valid > 300 && invalid > 4000 && aborted > 500, 'the corpus has documents of every sort')
    for (const { name } of module.specifiedRules) {
      t.ok(finds.of(name) >= leastFinds, `${name} found something ${finds.of(name)} times`)
    }
  })

  void t.test(`the seeds are valid and invalid as they say on ${module.version}`, async (t) => {
    const builtSchemas = buildSchemas(module)
    for (const rule of module.specifiedRules) {
      const {
        schema: name,
        valid,
        invalid,
      } = seeds[rule.name] ?? { schema: '', valid: [], invalid: [] }
      const schema = builtSchemas.get(name)
      if (schema === undefined) throw new Error(`There are no seeds of ${rule.name}.`)
      const errorsOf = (source: string) => module.validate(schema, module.parse(source), [rule])
      for (const source of valid) t.strictSame(errorsOf(source), [], `${rule.name}: ${source}`)
      for (const source of invalid) t.not(errorsOf(source).length, 0, `${rule.name}: ${source}`)
    }
  })
}

/** Every limit with and without suggestions; each document takes the default and one more. */
function pairsOf(module: TestedGraphQL): Pair[][] {
  const { specifiedRules, NoSchemaIntrospectionCustomRule } = module
  const usual = createPair(module, specifiedRules)
  const every = [...specifiedRules, NoSchemaIntrospectionCustomRule]
  return limits.flatMap((limit) =>
    [true, false].map((hideSuggestions) => [
      usual,
      createPair(module, every, {
        ...(limit !== undefined && { maxErrors: limit }),
        hideSuggestions,
      }),
    ]),
  )
}

/** Rules that do everything that a visitor may do, before, between and after graphql's own. */
function foreignPairs(module: TestedGraphQL): Pair[][] {
  const own = module.specifiedRules
  return Array.from({ length: 97 }, (_, index) => {
    const log: Log = []
    const [one, two, three] = [1, 2, 3].map((part) => randomRule(module, index * 10 + part, log))
    const rules = [one, ...own.slice(0, index % 20), two, ...own.slice(index % 20), three]
    const limit = limits[index % limits.length]
    const options = limit === undefined ? {} : { maxErrors: limit }
    return [createPair(module, rules as ValidationRule[], options, log)]
  })
}
