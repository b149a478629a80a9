import { createHandler } from '../../../src/handler/handler.js'
import { testClient, type TestRequest, type TestResponse } from '../../../src/hosts/testing.js'
import type { Options } from '../../../src/options/options.js'
import type { Verdict } from '../../fuzz/target.js'
import { faultOf, type AskedBy } from './fault-of.js'
import { createFuzzSchema } from './schema.js'

/** Hears of bugs of the server, those of resolvers apart. */
export function watchBugs() {
  const bugs: unknown[] = []
  return {
    onBug: (
      bug: unknown,
      { path }: { readonly id?: string; readonly path?: unknown } = {},
    ): void => {
      if (path === undefined) bugs.push(bug)
    },
    verdict: (): Verdict => (bugs.length > 0 ? `bug: ${String(bugs.pop())}` : undefined),
  }
}

/** Sends a request twice to a handler: the answer must be proper, the same again, and reveal no bug. */
export function createProbe(options: Partial<Options> = {}) {
  const { onBug, verdict } = watchBugs()
  const own = { schema: createFuzzSchema(), createId: () => 'id', onBug }
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
