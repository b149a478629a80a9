// Executes an operation within its own resolver, 1,000 deep, and prints what came of it: a program of its own, since
// that takes a larger stack than the usual one.
import { parse } from 'graphql'
import { executeText } from '../../../src/compiled/index.js'
import { atOnce, schemaWith } from '../../compiled/outcome.js'

const schema = schemaWith('type Query { number: Int text: String self: Query }')
const document = parse('{ number text self { number } }')
let deepest = 0

function run(depth: number): string | undefined {
  deepest = Math.max(deepest, depth)
  const text = () => (depth === 1000 ? 'end' : run(depth + 1)?.length)
  const rootValue = { number: depth, text, self: { number: -depth } }
  return atOnce(executeText({ schema, document, rootValue })).text
}

const before = process.memoryUsage().arrayBuffers
const text = run(0)
const grown = process.memoryUsage().arrayBuffers - before
process.stdout.write(JSON.stringify({ deepest, text, grown }))
