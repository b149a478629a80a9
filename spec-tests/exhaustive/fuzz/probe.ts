import { createHandler } from '../../../src/handler/handler.js'
import { testClient, type TestRequest, type TestResponse } from '../../../src/hosts/testing.js'
import type { BugDetails, Options } from '../../../src/index.js'
import type { Verdict } from '../../fuzz/target.js'
import { faultOf, type AskedBy } from './fault-of.js'
import { createFuzzSchema } from './schema.js'

/** Options of a server whose bugs are heard, those of resolvers apart. */
export function fuzzOptions() {
  const bugs: unknown[] = []
  const onBug = (bug: unknown, { path }: Partial<BugDetails> = {}): void => {
    if (path === undefined) bugs.push(bug)
  }
  const verdict = (): Verdict => (bugs.length > 0 ? `bug: ${String(bugs.pop())}` : undefined)
  return { options: { schema: createFuzzSchema(), createId: () => 'id', onBug }, verdict }
}

/** Sends a request twice to a handler: the answer must be proper, the same again, and reveal no bug. */
export function createProbe(options: Partial<Options> = {}) {
  const { options: own, verdict } = fuzzOptions()
  const send = testClient(createHandler({ ...own, ...options }))
  return async (
    request: TestRequest,
    allowed: readonly number[],
    asked?: AskedBy,
  ): Promise<{ readonly answer: TestResponse; readonly fault: Verdict }> => {
    const answer = await send(request)
    const again = await send(request)
    const isSame = answer.status === again.status && answer.body === again.body
    const twice = isSame ? undefined : `twice: ${answer.body} and then ${again.body}`
    const seen = { ...answer, headers: [...answer.headers].flat() }
    return { answer, fault: twice ?? verdict() ?? faultOf(seen, allowed, asked) }
  }
}
