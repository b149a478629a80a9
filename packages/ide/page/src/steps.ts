import type { Situation } from './explain.js'

/** What the server checks, in order, until one of the steps decides the status; and why one refuses. */
// oxfmt-ignore
const steps = {
  'Request line': ['Checks the method and the path.',                   'This method or path is not served.'],
  Accept:         ['Chooses a media type that the client can read.',    'The server has no media type that the Accept header allows.'],
  'Content-Type': ['Checks that the server can read the body.',         'The server does not read bodies of this media type.'],
  Access:         ['Checks that the client may send this request.',     'The client is not allowed to send this request.'],
  Body:           ['Reads the body, and the parameters in its JSON.',   'The body is not JSON, or a parameter in it is invalid.'],
  Document:       ['Parses and validates the document.',                'The document is unknown, has errors, or exceeds a limit.'],
  Variables:      ['Checks the variables against their types.',         'A variable does not have the type that the operation declares.'],
  Execution:      ['Runs the resolvers.',                               'The server could not complete the operation.'],
} as const

/** Where a status says more than its step. */
const reasons: { readonly [status: number]: string } = {
  401: 'The request needs a valid credential.',
  408: 'The body took too long to arrive.',
  413: 'The body is too large.',
  414: 'The URL is too long.',
  429: 'The client sent too many requests: try again later.',
  503: 'The server has too much to do: try again later.',
}

export type StepName = keyof typeof steps
export type Verdict = 'passed' | 'responded' | 'refused' | 'failed' | 'not reached' | 'not known'

export interface Step {
  readonly name: StepName
  /** What it does; of one that refused or failed, why. */
  readonly about: string
  readonly verdict: Verdict
}

/** How far a request came, as far as its response tells; empty if it does not. */
export function stepsOf(situation: Situation): readonly Step[] {
  const last = lastOf(situation)
  if (last === undefined) return []
  const names = Object.keys(steps) as StepName[]
  const end = names.indexOf(last)
  return names.map((name, at) => {
    const verdict =
      at < end ? 'passed' : at === end ? verdictOf(situation) : laterVerdict(name, last)
    const [check, reason] = steps[name]
    const isAtFault = verdict === 'refused' || verdict === 'failed'
    return { name, about: isAtFault ? (reasons[situation.status] ?? reason) : check, verdict }
  })
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
