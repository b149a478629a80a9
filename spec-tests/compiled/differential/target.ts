import { setImmediate as nextTurn } from 'node:timers/promises'
import { parse, type GraphQLSchema } from 'graphql'
import type { Random } from '../../fuzz/random.js'
import { smallerTexts } from '../../fuzz/smaller.js'
import type { Target, Verdict } from '../../fuzz/target.js'
import { differenceOf } from './compare.js'
import { executeByReference, type TextExecutor } from './executors.js'
import { makeOperation, parseOrNothing, type Operation } from '../../fuzz/documents.js'
import { makeSchema } from '../random/schema.js'
import { execution, neverSettles, oddities, type Execution } from './execution.js'
import type { Mood } from '../random/run.js'
import { watchRejections } from './watch-rejections.js'

/** One case: all that is executed follows from it. */
interface Case extends Operation {
  readonly schema: number
  readonly run: number
  readonly mood: Mood
  /** The keys whose values are as usual after all. */
  readonly calm: readonly string[]
}

const schemasInAll = 300

/**
 * Operations, schemas and resolvers at random: the text must be that of graphql-js, byte for byte. Where nothing
 * waits, errors and calls must be the same in the same order.
 */
export function differential(execute: TextExecutor, firstSchema = 0): Target<Case> {
  const schemas = new Map<number, GraphQLSchema>()
  const schemaOf = (seed: number): GraphQLSchema => {
    const schema = schemas.get(seed) ?? makeSchema(seed)
    schemas.set(seed, schema)
    return schema
  }
  return {
    name: 'compiled',
    generate: (random) => {
      const schema = firstSchema + random.below(schemasInAll)
      const operation = makeOperation(random, schemaOf(schema), 0.01)
      return { ...operation, schema, run: random.next(), mood: moodOf(random), calm: [] }
    },
    check: async (one) => {
      const { rejections, stop } = watchRejections()
      try {
        return await check(one, schemaOf(one.schema), execute, rejections)
      } finally {
        stop()
      }
    },
    smaller,
    row: (one) => {
      const found = oddities(executionOf(one, schemaOf(one.schema), one.variables[0] ?? {}))
      return JSON.stringify({ ...one, oddities: found }, null, 1)
    },
  }
}

/** Some runs are without waiting, some without faults; in some nearly everything is odd. */
function moodOf(random: Random): Mood {
  return { waits: random.pick([0, 0, 0.05, 0.5]), faults: random.pick([0, 0.03, 0.03, 0.2]) }
}

async function check(
  one: Case,
  schema: GraphQLSchema,
  execute: TextExecutor,
  rejections: unknown[],
): Promise<Verdict> {
  const expected: Execution[] = []
  for (const variables of one.variables) {
    const settings = executionOf(one, schema, variables)
    const reference = await execution(settings, executeByReference)
    // What graphql-js leaves unhandled itself is reported a turn later, also if nothing waits.
    await nextTurn()
    rejections.length = 0
    const actual = await execution(settings, execute)
    await nextTurn()
    // Introspection is left to graphql-js.
    if (rejections.length > 0 && !/__(?:schema|type)\b/.test(one.query)) {
      return `unhandled: ${String(rejections[0])}`
    }
    const difference = differenceOf(reference, actual, settings.isMutation)
    if (difference !== undefined) return difference
    expected.push(reference)
  }
  if (one.mood.waits === 0) return undefined
  // All at once: what waits in one must not be mixed up with what waits in another.
  const run = (variables: object) => execution(executionOf(one, schema, variables), execute)
  const together = await Promise.all(one.variables.map(run))
  for (const [at, reference] of expected.entries()) {
    const difference = differenceOf(reference, together[at] ?? neverSettles, false)
    if (difference !== undefined) return `interleaved ${difference}`
  }
  return undefined
}

/** The documents are parsed once a case, as a server does. */
const documents = new WeakMap<Case, ReturnType<typeof parse>>()

function executionOf(one: Case, schema: GraphQLSchema, variables: object) {
  const document = documents.get(one) ?? parse(one.query)
  documents.set(one, document)
  return {
    schema,
    document,
    operationName: one.operationName,
    variables: variables as { readonly [name: string]: unknown },
    run: { seed: one.run, mood: one.mood, calm: new Set(one.calm) },
    isMutation: one.query.startsWith('mutation'),
  }
}

function* smaller(one: Case): Generator<Case> {
  if (one.variables.length > 1) {
    for (const variables of one.variables) yield { ...one, variables: [variables] }
  }
  for (const query of smallerTexts(one.query)) if (parseOrNothing(query)) yield { ...one, query }
  const { waits, faults } = one.mood
  if (waits > 0) yield { ...one, mood: { waits: 0, faults } }
  if (faults > 0) yield { ...one, mood: { waits, faults: 0 } }
  const [variables = {}] = one.variables
  for (const key of Object.keys(oddities(executionOf(one, makeSchema(one.schema), variables)))) {
    if (!one.calm.includes(key)) yield { ...one, calm: [...one.calm, key] }
  }
  for (const name of Object.keys(variables)) {
    const { [name]: _, ...less } = variables
    yield { ...one, variables: [less] }
  }
}
