import type { Situation } from './explain.js'

/** What the server looks at, in order, until one of the steps decides the status. */
const steps = {
  'Request line': 'Method and path',
  Accept: 'A media type that the client can read',
  'Content-Type': 'A body that the server can read',
  Access: 'Who sends it, and whether they may',
  Body: 'JSON, with the right parameters',
  Document: 'Parsed, validated, and within the limits',
  Variables: 'Values of the declared types',
  Execution: 'The resolvers',
} as const

export type StepName = keyof typeof steps
export type Verdict = 'passed' | 'responded' | 'refused' | 'failed' | 'not reached' | 'not known'

export interface Step {
  readonly name: StepName
  readonly about: string
  readonly verdict: Verdict
}

/** How far a request came, as far as its response tells; empty if it does not. */
export function stepsOf(situation: Situation): readonly Step[] {
  const last = lastOf(situation)
  if (last === undefined) return []
  const names = Object.keys(steps) as StepName[]
  const end = names.indexOf(last)
  return names.map((name, at) => ({
    name,
    about: steps[name],
    verdict: at < end ? 'passed' : at === end ? verdictOf(situation) : laterVerdict(name, last),
  }))
}

function verdictOf({ status }: Situation): Verdict {
  if (status >= 500 && status !== 503) return 'failed'
  return status < 300 ? 'responded' : 'refused'
}

/** Access is decided before the body is read, and again once the operation is known. */
function laterVerdict(name: StepName, last: StepName): Verdict {
  return last === 'Access' && name !== 'Execution' ? 'not known' : 'not reached'
}

function lastOf({ status, code, hasData, isStream }: Situation): StepName | undefined {
  if (hasData || isStream || status === 294) return 'Execution'
  return (code === undefined ? undefined : byCode[code]) ?? byStatus[status]
}

const byCode: { readonly [code: string]: StepName } = {
  DENIED: 'Access',
  INVALID_JSON: 'Body',
  INVALID_PARAMETER: 'Body',
  GRAPHQL_PARSE_FAILED: 'Document',
  GRAPHQL_VALIDATION_FAILED: 'Document',
  OPERATION_RESOLUTION_FAILURE: 'Document',
  DOCUMENT_LIMIT_EXCEEDED: 'Document',
  DOCUMENT_NOT_FOUND: 'Document',
  PERSISTED_QUERY_NOT_FOUND: 'Document',
  BAD_USER_INPUT: 'Variables',
}

const byStatus: { readonly [status: number]: StepName } = {
  200: 'Execution',
  401: 'Access',
  403: 'Access',
  404: 'Request line',
  405: 'Request line',
  406: 'Accept',
  408: 'Body',
  413: 'Body',
  414: 'Request line',
  415: 'Content-Type',
  422: 'Document',
  429: 'Access',
  500: 'Execution',
  503: 'Access',
}
