import * as graphql from 'graphql'
import type { DocumentNode } from 'graphql'
import type { TestedGraphQL } from './compare.js'
import { mutateNodes } from './mutate-nodes.js'
import { mutateTokens, tokensOf } from './mutate-tokens.js'
import { Random } from './random.js'
import { schemas } from './schemas.js'
import { samples, type Sample } from './seeds.js'

/** The whole corpus: the samples, and as many changed ones as are asked for. All of them parse. */
export function corpus(changed: number): Sample[] {
  const random = new Random(20_260_801)
  const seen = new Set(samples.map(nameOf))
  const documents: Sample[] = [...samples]
  while (documents.length < samples.length + changed) {
    const sample = change(random.pick(samples), random)
    if (sample === undefined || seen.has(nameOf(sample))) continue
    seen.add(nameOf(sample))
    documents.push(sample)
  }
  return documents
}

function change(sample: Sample, random: Random): Sample | undefined {
  const vocabulary = vocabularies[sample.schema] as string[]
  let { source } = sample
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left--) {
    const mutate = random.below(2) === 0 ? mutateNodes : mutateTokens
    source = mutate(source, vocabulary, random)
    if (parseWith(graphql, source) === undefined) return undefined
  }
  return { schema: sample.schema, source }
}

const builtIn = ['skip', 'include', 'if', 'Int', 'String', 'Boolean', '__typename', '__schema']

const vocabularies: { readonly [schema: string]: string[] } = Object.fromEntries(
  Object.entries(schemas).map(([name, sdl]) => [
    name,
    [...new Set(tokensOf(sdl).filter((text) => /^[_A-Za-z]/.test(text))), ...builtIn],
  ]),
)

/** The document, or undefined where this graphql-js does not parse it. */
export function parseWith(module: TestedGraphQL, source: string): DocumentNode | undefined {
  try {
    return module.parse(source)
  } catch {
    // Most changes to tokens make no document, and graphql 17 knows more syntax than 16.
    return undefined
  }
}

function nameOf({ schema, source }: Sample): string {
  return `${schema} ${source}`
}
