// Runs in the folder of one version of graphql, beside which graphwire is installed; prints JSON.
import { execute, getVariableValues, parse, validate, version } from 'graphql'
import { createHandler } from 'graphwire'
// Internal modules, since this measures the parts.
import { Cancellation } from '../node_modules/graphwire/dist/src/graphql/execute/cancellation.js'
import { createEngine } from '../node_modules/graphwire/dist/src/graphql/engine.js'
import { readJsonBody } from '../node_modules/graphwire/dist/src/over-http/request/read-body.js'
import { checkParams } from '../node_modules/graphwire/dist/src/over-http/request/read-params.js'
import { createEncodingChooser } from '../node_modules/graphwire/dist/src/over-http/response/choose-encoding.js'
import { respond } from '../node_modules/graphwire/dist/src/over-http/response/respond.js'
import { resolveOptions } from '../node_modules/graphwire/dist/src/options/settings.js'
import { lowerQuartile } from '../median.mjs'
import { createSchema } from '../servers/people.mjs'
import { workloads } from '../workloads.mjs'

const measured = new Set(['W1', 'W2', 'W3'])
const accept = 'application/graphql-response+json, application/json;q=0.9'
const schema = createSchema('sync')

const rounds = Number(process.argv[2])
const roundMs = 5

// By turns, so that other work on the machine affects all.
const all = stages()
for (const stage of all) stage.times = timesOf(stage.run)
const costs = new Map(all.map((stage) => [stage, []]))
for (let round = 0; round < rounds; round++) {
  for (const stage of all) costs.get(stage).push(cost(stage.run, stage.times))
}
const rows = all.map((one) => ({
  stage: one.stage,
  workload: one.workload,
  microseconds: lowerQuartile(costs.get(one)),
}))
console.log(JSON.stringify({ graphql: version, node: process.versions.node, rows }))

/** Microseconds of one call. */
function cost(run, times) {
  const began = performance.now()
  for (let time = 0; time < times; time++) run()
  return ((performance.now() - began) * 1000) / times
}

/** How many calls fill a round, counted after enough calls for the optimizer. */
function timesOf(run) {
  cost(run, 20)
  const first = Math.max(1, Math.ceil((40 * roundMs * 1000) / cost(run, 20)))
  return Math.max(1, Math.ceil((roundMs * 1000) / cost(run, Math.min(first, 100_000))))
}

/** Every stage of every workload as a function without arguments: those of graphwire, then graphql-js by itself. */
function stages() {
  return workloads
    .filter(({ name }) => measured.has(name))
    .flatMap((workload) => [...ownStages(workload), ...plainStages(workload)])
}

function ownStages({ name: workload, request }) {
  const settings = resolveOptions('bench', { schema })
  const engine = createEngine(settings)
  const choose = createEncodingChooser(settings.edition)
  const encoding = choose(accept)
  const body = Buffer.from(JSON.stringify(request(0)))
  const readBody = () => checkParams(valueOf(readJsonBody(body, [], settings)), settings)
  const params = valueOf(readBody())
  const operation = valueOf(engine.prepare(schema, params))
  const cancellation = new Cancellation()
  const input = { rootValue: undefined, contextValue: undefined, cancellation }
  const result = valueOf(engine.execute(operation, input))
  const handler = createHandler({ schema })
  const asked = { ...headOf(body), body: { read: () => body } }
  const fresh = freshParams(params)
  return [
    ['negotiate', () => choose(accept)],
    ['read the body', readBody],
    ['prepare, known document', () => engine.prepare(schema, params)],
    ['prepare, new document', () => engine.prepare(schema, fresh())],
    ['coerce and execute', () => engine.execute(operation, input)],
    ['encode', () => respond(result, [], true, encoding, settings.edition)],
    ['the whole handler', () => handler(asked)],
  ].map(([stage, run]) => ({ stage, workload, run }))
}

function plainStages({ name: workload, request }) {
  const { query, variables: variableValues } = request(0)
  const document = parse(query)
  const { variableDefinitions = [] } = document.definitions[0]
  const result = execute({ schema, document, variableValues })
  return [
    ['graphql-js: parse', () => parse(query)],
    ['graphql-js: validate', () => validate(schema, document)],
    [
      'graphql-js: coerce',
      () => getVariableValues(schema, variableDefinitions, variableValues ?? {}),
    ],
    ['graphql-js: coerce and execute', () => execute({ schema, document, variableValues })],
    ['graphql-js: JSON.stringify', () => JSON.stringify(result)],
  ].map(([stage, run]) => ({ stage, workload, run }))
}

/** The operation in a source that was not seen before: a comment makes it different. */
function freshParams(params) {
  let n = 0
  return () => ({ ...params, query: `${params.query}#${n++}` })
}

function headOf(body) {
  return {
    method: 'POST',
    target: '/graphql',
    headers: [
      'Host',
      '127.0.0.1',
      'Accept',
      accept,
      'Content-Type',
      'application/json',
      'Content-Length',
      String(body.length),
    ],
    raw: undefined,
    onClientGone: () => {},
  }
}

function valueOf(outcome) {
  if (!outcome.ok) throw new Error(`A stage has failed: ${JSON.stringify(outcome.reason)}`)
  return outcome.value
}
