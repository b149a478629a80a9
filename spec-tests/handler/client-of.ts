import { testClient, type TestResponse } from '../../src/hosts/testing.js'
import { createHandler, type Options } from '../../src/index.js'

/** A client of a handler of its own. `bugs` are what `onBug` got, if the options have none. */
export function clientOf<Raw, Principal>(options: Options<Raw, Principal>) {
  const bugs: unknown[] = []
  const handler = createHandler({ onBug: (bug) => void bugs.push(bug), ...options })
  const send = testClient(handler)
  const ask = (query: string, variables?: object): Promise<TestResponse> =>
    send({ json: { query, variables } })
  return { handler, send, ask, bugs }
}
