import type { FormattedExecutionResult } from 'graphql'
import type { Test } from 'tap'
import { jsonOf, valueOf, type HostResponse } from '../../hosts/exchange.js'

export interface Expected {
  readonly status: number | readonly number[]
  /** `extensions.code` of the first error; undefined where the answer has data. */
  readonly code?: string
}

/** What no answer may show: a frame of a stack, a file, a word of an error that was not made for clients. */
const secrets = /\n\s+at |node:internal|file:\/\/|node_modules|\/src\/|secret/

/** Checks what holds for every answer, and the status and code of this one. */
export function checkResponse(t: Test, answer: HostResponse | undefined, expected: Expected): void {
  if (answer === undefined) {
    t.fail('the connection ended without an answer')
    return
  }
  const text = answer.body.toString()
  t.ok([expected.status].flat().includes(answer.status), `${answer.status} ${text.slice(0, 300)}`)
  if (answer.status === 204 || answer.status === 304) return
  t.notMatch(text, secrets)
  t.equal(valueOf(answer, 'x-content-type-options'), 'nosniff')
  t.match(valueOf(answer, 'content-type'), /^application\/(?:graphql-response\+)?json(?:;|$)/)
  const { data, errors = [] } = jsonOf(answer) as FormattedExecutionResult
  if (answer.status >= 400) {
    t.ok(errors.length > 0 && data === undefined, 'errors and no data')
    t.ok(text.length < 25_000, `${text.length} characters`)
  }
  const longest = Math.max(0, ...errors.map(({ message }) => message.length))
  t.ok(longest < 500, `${longest} characters in a message`)
  if (expected.code !== undefined) t.equal(errors[0]?.extensions?.['code'], expected.code)
}
