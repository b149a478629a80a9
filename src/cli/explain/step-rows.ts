import type { Facts, Step } from '../../handler/road/facts.js'
import { fieldValue } from '../../http/message.js'
import type { Encoding } from '../../over-http/response/choose-encoding.js'
import type { PlannedOptions } from '../serve/flags/apply-plan.js'
import { printable } from './rules.js'

/** What is known of a request behind a step. */
export interface StepFacts extends Facts {
  /** The size of its body. */
  readonly size: number
  /** Whether its parameters are in the body. */
  readonly hasBody: boolean
  readonly encoding: Encoding
  readonly options: PlannedOptions
}

type StepRow = readonly [looksAt: (facts: StepFacts) => string, ...statements: readonly string[]]

/** The steps in their order: what each has looked at, and the statements that it follows. */
export const stepRows: { readonly [name in Step]: StepRow } = {
  framing: [
    ({ head }) =>
      `a URL of ${head.target.length} characters, ${head.headers.length / 2} header lines, ${field(head, 'Host')}`,
    'R9112-3.2b',
  ],
  options: [({ head: { method } }) => `${method}${method === 'OPTIONS' ? '' : ', not OPTIONS'}`],
  ide: [({ head }) => field(head, 'Accept'), 'URL-7'],
  requestLine: [
    ({ head, hasBody }) =>
      `${printable(`${head.method} ${head.target}`)}${hasBody ? ', parameters in the body' : ''}`,
    'RQ-1',
    'RQ-2',
  ],
  accept: [({ head }) => field(head, 'Accept'), 'BD-5', 'BD-7'],
  content: [
    ({ head, hasBody }) =>
      hasBody
        ? `${field(head, 'Content-Type')}${fieldIfSent(head, 'Content-Encoding')}`
        : `the origin of a ${head.method}: ${field(head, 'Origin')}${fieldIfSent(head, 'Content-Type')}`,
    'PO-1',
  ],
  load: [() => 'requests in flight, delay of the event loop', 'SC-22'],
  credentials: [
    ({ options }) =>
      options.authenticate === undefined
        ? 'no `authenticate`: everyone may ask'
        : 'what `authenticate` says',
    'SC-20',
  ],
  body: [({ size, params }) => `${size} bytes${listParams(params)}`, 'PO-5', 'RP-1'],
  url: [({ params }) => `the query of the URL${listParams(params)}`, 'GET-1', 'GET-2'],
  document: [
    ({ documentName: name }) =>
      name === undefined
        ? 'no name of a stored document'
        : `the stored document of the ${name.kind} ${printable(name.kind === 'id' ? name.id : name.hash)}`,
  ],
  schema: [
    ({ options }) =>
      typeof options.schema === 'function' ? 'the schema for this request' : 'the schema',
  ],
  prepare: [
    ({ params, operation }) => {
      const length = `a document of ${params?.query.length ?? 0} characters`
      if (operation === undefined) return length
      return `${length}: ${operation.operation} ${operation.name?.value ?? '(anonymous)'}`
    },
    'VA-1',
    'EX-1',
  ],
  check: [
    ({ head, operation }) => `a ${operation?.operation} by ${head.method}`,
    'GET-7',
    'R9110-9.2.1',
  ],
  cost: [({ cost }) => `a cost of ${cost}`, 'VA-2'],
  admit: [
    ({ options }) =>
      options.admit === undefined ? 'no `admit`: every operation may run' : 'what `admit` says',
  ],
  around: [() => 'what `around` does with the rest'],
  context: [
    ({ options }) =>
      options.context === undefined
        ? 'no `context`: resolvers get the request'
        : 'what `context` returns',
  ],
  execute: [
    ({ result }) => {
      if (result === undefined) return 'the operation'
      if (result.kind === 'events') return `a stream of events of ${result.field}`
      if (result.kind === 'incremental') return 'a result in parts'
      return `a result with ${countErrors(result.errors)}`
    },
    'EX-1',
  ],
  respond: [({ encoding, errors }) => `${encoding.success.name}, ${countErrors(errors)}`, 'BD-2'],
}

/** The steps that a request can have with these options, but for those of requests of another kind. */
export function listSteps({ options, hasBody }: StepFacts): readonly Step[] {
  const { ide, documents, apq, around, context } = options
  const absent = new Set<Step>([hasBody ? 'url' : 'body'])
  if (ide === undefined) absent.add('ide')
  if (documents === undefined && apq === undefined) absent.add('document')
  if (around === undefined) absent.add('around')
  if (context === undefined) absent.add('context')
  return (Object.keys(stepRows) as Step[]).filter((name) => !absent.has(name))
}

function field({ headers }: Facts['head'], name: string): string {
  return `${name}: ${printable(fieldValue(headers, name.toLowerCase()) ?? '(none)')}`
}

function fieldIfSent(head: Facts['head'], name: string): string {
  const value = fieldValue(head.headers, name.toLowerCase())
  return value === undefined ? '' : `, ${field(head, name)}`
}

function listParams(params: object | undefined): string {
  const sent = Object.entries(params ?? {}).filter(([, value]) => value !== undefined)
  return params === undefined ? '' : `: ${sent.map(([name]) => name).join(', ')}`
}

function countErrors({ length }: readonly unknown[]): string {
  return length === 0 ? 'no errors' : length === 1 ? '1 error' : `${length} errors`
}
