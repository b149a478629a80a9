// Runs in the folder of one version of graphql, beside which graphwire is installed; prints JSON.
import { version } from 'graphql'
import { stages } from './stages.mjs'

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

/** How many calls fill a round, after as many as the optimizer wants to see. */
function timesOf(run) {
  cost(run, 20)
  const first = Math.max(1, Math.ceil((40 * roundMs * 1000) / cost(run, 20)))
  return Math.max(1, Math.ceil((roundMs * 1000) / cost(run, Math.min(first, 100_000))))
}

function lowerQuartile(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 4)]
}
