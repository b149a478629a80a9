// Runs in the folder of one version of graphql: one way to execute, one workload, after other documents; prints JSON.
import { pathToFileURL } from 'node:url'
import { execute, parse } from 'graphql'
import { lowerQuartile } from '../median.mjs'
import { createSchema } from '../servers/people.mjs'
import { workloads } from '../workloads.mjs'

const [way, name, roundsText] = process.argv.slice(2)
const rounds = Number(roundsText)
const roundMs = 20

/** Executed first by every process: a warm interpreter has seen documents of all kinds, not only the measured one. */
const others = [
  '{ hello again: hello __typename }',
  '{ people(limit: 5) { email friends(limit: 2) { name address { street } } } }',
  '{ beings(limit: 4) { __typename ... on Named { name } ... on Robot { parts { id } } } }',
  '{ members(limit: 5) { name isAdult } person(id: "7") { id age friends { id email } } }',
  'mutation { a: rename(id: "5", name: "Ada") { name } b: rename(id: "6", name: "Bo") { id } }',
]

const ways = {
  'graphql-js': () => (args) => then(execute(args), ({ data }) => JSON.stringify(data)),
  compiled: async () => {
    const { executeText } = await import('graphwire/compiled')
    return (args) => then(executeText(args), ({ text }) => text)
  },
  'graphql-jit': async () => {
    const { compileQuery } = await import(pathToFileURL(process.env.GRAPHQL_JIT).href)
    const compiled = new Map()
    return ({ schema, document, rootValue, contextValue, variableValues }) => {
      const found = compiled.get(document) ?? compileQuery(schema, document)
      compiled.set(document, found)
      return then(found.query(rootValue, contextValue, variableValues), ({ data }) =>
        JSON.stringify(data),
      )
    }
  },
  // For comparison: only serializes the result of graphql-js.
  'JSON.stringify': () => {
    const answers = new Map()
    return (args) => {
      const key = `${args.query} ${JSON.stringify(args.variableValues)}`
      if (!answers.has(key)) {
        answers.set(
          key,
          then(execute(args), ({ data }) => JSON.parse(JSON.stringify(data))),
        )
      }
      return then(answers.get(key), (data) => JSON.stringify(data))
    }
  },
}

const run = await ways[way]()
const { resolvers, request, distinct } = workloads.find((workload) => workload.name === name)
const schema = createSchema(resolvers)
const documents = new Map()

for (let time = 0; time < 300; time++) {
  for (const query of others) await run(argsOf({ query }))
}

const count = Math.min(distinct, 256)
const requests = Array.from({ length: count }, (_, n) => argsOf(request(n)))
for (let time = 0; time < Math.ceil(2000 / count); time++) {
  for (const args of requests) await run(args)
}
const costs = []
for (let round = 0; round < rounds; round++) {
  const began = process.cpuUsage()
  const until = performance.now() + roundMs
  let times = 0
  while (performance.now() < until) {
    // Several at once, as in a server under load, and so that the measuring loop costs little.
    for (let at = 0; at < 8; at++) {
      const result = run(requests[times++ % count])
      if (typeof result !== 'string') await result
    }
  }
  const { user, system } = process.cpuUsage(began)
  costs.push((user + system) / times)
}
const bytes = (await run(requests[0])).length
console.log(JSON.stringify({ microseconds: lowerQuartile(costs), bytes }))

function argsOf({ query, variables }) {
  if (!documents.has(query)) documents.set(query, parse(query))
  return { schema, document: documents.get(query), query, variableValues: variables }
}

function then(value, next) {
  return typeof value?.then === 'function' ? value.then(next) : next(value)
}
