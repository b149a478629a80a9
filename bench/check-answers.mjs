import { isDeepStrictEqual } from 'node:util'
import { execute, parse, validate } from 'graphql'
import { Connection } from './connection.mjs'
import { WrongAnswerError } from './load-crew.mjs'
import { createSchema } from './servers/people.mjs'
import { toHttp } from './to-http.mjs'

/** Of documents that differ each time so many are checked. */
const samples = 256

const schema = createSchema('sync')

/** What graphql-js answers to the n-th request of a workload, as text. */
export function referenceAnswer({ request }, n) {
  const { query, variables: variableValues } = request(n)
  const document = parse(query)
  const errors = validate(schema, document)
  return JSON.stringify(
    errors.length > 0 ? { errors } : execute({ schema, document, variableValues }),
  )
}

/**
 * Sends every request of the workload to a server and compares the responses with those of graphql-js. A server with
 * a constant response is compared with the first one. Returns the status of the responses.
 */
export async function checkAnswers(port, workload, isConstant) {
  const connection = new Connection(port)
  let status
  try {
    for (let n = 0; n < Math.min(workload.distinct, samples); n++) {
      const answer = await ask(connection, toHttp(workload, n))
      const expected = referenceAnswer(workload, isConstant ? 0 : n)
      status ??= answer.status
      if (answer.status !== status || !isSame(workload, JSON.parse(answer.text), expected)) {
        throw new WrongAnswerError(
          `${answer.status} ${answer.text.slice(0, 300)} instead of ${expected.slice(0, 300)}`,
        )
      }
    }
  } finally {
    connection.close()
  }
  return status
}

/** Servers word errors and order keys as they like; data is the same or wrong. */
function isSame({ refused = false }, answer, expected) {
  if (refused) return (answer.data ?? null) === null && answer.errors?.length > 0
  return isDeepStrictEqual(answer, JSON.parse(expected))
}

function ask(connection, request) {
  return new Promise((resolve, reject) => {
    connection.ask(request, (status, body) => resolve({ status, text: body.toString() }), reject)
  })
}
