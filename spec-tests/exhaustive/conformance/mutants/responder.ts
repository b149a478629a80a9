import { allow, formatResult } from './format-result.js'
import type { Has } from './defects.js'
import { plain, type Request, type Response } from './message.js'
import { negotiate } from './negotiate.js'
import { BadRequest, type Parameters } from './parameters.js'
import { readGet } from './read-get.js'
import { readPost } from './read-post.js'
import { runRequest, type Outcome } from './run-request.js'
import type { Responder } from './serve-connection.js'
import { standardSchema } from './standard-schema.js'

/** Makes what answers requests by edition 2026-09, with a state of its own. */
export function createResponder(has: Has): Responder {
  const standard = standardSchema()
  const run = (parameters: Parameters, isSafe: boolean): Promise<Outcome> =>
    runRequest(parameters, isSafe, standard, has)
  return (request) => respond(request, run, has)
}

type Run = (parameters: Parameters, isSafe: boolean) => Promise<Outcome>

async function respond(request: Request, run: Run, has: Has): Promise<Response> {
  const { method, path } = request
  if (path === '*' && method === 'OPTIONS') return options(has)
  if (path !== '/graphql') return plain(404, 'There is nothing here.')
  if (method === 'OPTIONS' && !has('options-runs-operations')) return options(has)
  const isSafe = method === 'GET' || (method === 'HEAD' && !has('head-405'))
  if (!isSafe && method !== 'POST' && !takesOddMethod(method, has)) return refuseMethod(has)
  const format = negotiate(request.headers, has)
  if (format === 'html') return { status: 200, headers: html, body: '<!doctype html><p>GraphiQL' }
  if (format === undefined && !runsAnyway(has)) return refuseAccept(has)
  const runsMutations = method === 'HEAD' && has('head-runs-mutations')
  const outcome = await evaluate(
    request,
    (parameters) => run(parameters, isSafe && !runsMutations),
    has,
  )
  if (format === undefined && has('406-after-execution')) return refuseAccept(has)
  return 'result' in outcome ? formatResult(outcome, format ?? 'graphql', has) : outcome
}

const html = { 'content-type': 'text/html; charset=utf-8' }

/** What is no request is answered in GraphQL's form if its fault is in the JSON, else as text. */
async function evaluate(
  request: Request,
  run: (parameters: Parameters) => Promise<Outcome>,
  has: Has,
): Promise<Outcome | Response> {
  try {
    const isUrl = request.method === 'GET' || request.method === 'HEAD'
    return await run(isUrl ? readGet(request.query, has) : readPost(request, has))
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error
    const { status, message } = error
    if (status === 415) return plain(415, message, { 'accept-encoding': 'identity' })
    if (has('bad-request-as-text')) return { ...plain(status, message), headers: mislabelled }
    return { status, result: { errors: [{ message }] } }
  }
}

const mislabelled = { 'content-type': 'application/graphql-response+json; charset=utf-8' }

function takesOddMethod(method: string, has: Has): boolean {
  return (has('put-served-like-post') && method === 'PUT') || method === 'OPTIONS'
}

function runsAnyway(has: Has): boolean {
  return has('accept-disregarded') || has('406-after-execution')
}

function refuseAccept(has: Has): Response {
  if (has('406-is-an-html-page')) return { status: 200, headers: html, body: '<!doctype html>' }
  return plain(has('406-is-400') ? 400 : 406, 'Nothing that Accept lists is there.', {
    vary: 'Accept',
  })
}

function refuseMethod(has: Has): Response {
  const status = has('405-is-500') ? 500 : has('405-is-404') ? 404 : 405
  return plain(status, 'This method is not served.', has('allow-missing') ? {} : { allow })
}

function options(has: Has): Response {
  if (has('options-500')) return plain(500, 'A bug.')
  return { status: 204, headers: has('options-without-allow') ? {} : { allow }, body: '' }
}
