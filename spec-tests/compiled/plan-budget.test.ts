import t from 'tap'
import type { OperationFacts } from '../../src/compiled/operation-plan.js'
import { CompiledOperation, PlanBudget } from '../../src/compiled/operations.js'

function withPlans(bytes: number): CompiledOperation {
  return new CompiledOperation({ memory: { bytes } } as OperationFacts, 0)
}

void t.test('plans that were not used for long are dropped, others stay', async (t) => {
  const budget = new PlanBudget(100)
  const [used, unused, third, fourth] = [20, 20, 20, 20].map(withPlans)
  for (const one of [used, unused, third, used, fourth]) t.ok(budget.use(one!))
  const kept = [used, unused, third, fourth].map((one) => one?.facts.memory.bytes)
  t.same(kept, [20, 0, 20, 20])
})

void t.test('plans that are too large for the budget are dropped at once', async (t) => {
  const large = withPlans(60)
  t.notOk(new PlanBudget(100).use(large))
  t.equal(large.facts.memory.bytes, 0)
})
