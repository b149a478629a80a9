import type { Facts, Step } from '../../../handler/road/facts.js'
import { fieldValue } from '../../../http/message.js'
import type { Incoming } from '../../../hosts/node/exchange/incoming.js'
import type { Options } from '../../../index.js'
import type { Encoding } from '../../../over-http/response/choose-encoding.js'
import { printable } from '../rules/printable.js'

/** What is known of a request behind a step. */
export interface Known extends Facts {
  /** The size of its body; undefined without one. */
  readonly size: number | undefined
  /** Whether its parameters are in the body. */
  readonly hasBody: boolean
  readonly encoding: Encoding
}

/** A step in words. */
export interface StepRow {
  readonly title: string
  /** What it looked at, once it has run. */
  readonly looksAt: (known: Known, options: Options<Incoming>) => string
  /** The statements that it follows. */
  readonly follows: (known: Known) => readonly string[]
}

const none = (): readonly string[] => []

/** Every step of a request; one without a row does not compile. */
export const stepRows: { readonly [name in Step]: StepRow } = {
  framing: {
    title: 'framing',
    looksAt: ({ head }) =>
      `a URL of ${head.target.length} characters, ${head.headers.length / 2} header lines, ${field('Host', 'host')({ head })}`,
    follows: () => ['R9112-3.2b'],
  },
  options: {
    title: 'options',
    looksAt: ({ head }) => (head.method === 'OPTIONS' ? 'OPTIONS' : `${head.method}, not OPTIONS`),
    follows: ({ head }) => (head.method === 'OPTIONS' ? ['R9110-9.3.7'] : []),
  },
  ide: {
    title: 'ide',
    looksAt: field('Accept', 'accept'),
    follows: ({ head }) =>
      fieldValue(head.headers, 'accept')?.includes('text/html') === true ? ['URL-7'] : [],
  },
  requestLine: {
    title: 'request line',
    looksAt: ({ head, hasBody }) =>
      `${printable(`${head.method} ${head.target}`)}${hasBody ? ', parameters in the body' : ''}`,
    follows: ({ head }) => [head.method === 'POST' ? 'RQ-1' : 'RQ-2'],
  },
  accept: {
    title: 'accept',
    looksAt: field('Accept', 'accept'),
    follows: ({ encoding }) =>
      encoding.success.name === 'application/json' ? ['BD-5', 'BD-7'] : ['BD-5'],
  },
  content: {
    title: 'content',
    looksAt: ({ head, hasBody }) =>
      hasBody
        ? [field('Content-Type', 'content-type'), given('Content-Encoding', 'content-encoding')]
            .map((show) => show({ head }))
            .join('')
        : `the origin of a ${head.method}: ${field('Origin', 'origin')({ head })}${given('Content-Type', 'content-type')({ head })}`,
    follows: ({ hasBody }) => (hasBody ? ['PO-1'] : []),
  },
  load: {
    title: 'load',
    looksAt: () => 'requests in flight, delay of the event loop',
    follows: () => ['SC-22'],
  },
  credentials: {
    title: 'credentials',
    looksAt: (_, options) =>
      options.authenticate === undefined
        ? 'no `authenticate`: everyone may ask'
        : 'what `authenticate` says',
    follows: (known) => (known.principal === undefined ? [] : ['SC-20']),
  },
  body: {
    title: 'body',
    looksAt: ({ size = 0, params }) =>
      params === undefined ? `${size} bytes` : `${size} bytes: ${listParams(params)}`,
    follows: () => ['PO-5', 'RP-1'],
  },
  document: {
    title: 'document',
    looksAt: ({ documentName }) =>
      documentName === undefined
        ? 'no name of a stored document'
        : `the stored document of the ${documentName.kind} ${printable(documentName.kind === 'id' ? documentName.id : documentName.hash)}`,
    follows: none,
  },
  url: {
    title: 'url',
    looksAt: ({ params }) =>
      params === undefined ? 'the query of the URL' : `the query of the URL: ${listParams(params)}`,
    follows: () => ['GET-1', 'GET-2'],
  },
  schema: {
    title: 'schema',
    looksAt: (_, { schema }) =>
      typeof schema === 'function' ? 'the schema for this request' : 'the schema',
    follows: none,
  },
  prepare: {
    title: 'prepare',
    looksAt: ({ params, operation }) => {
      const length = `a document of ${params?.query.length ?? 0} characters`
      if (operation === undefined) return length
      return `${length}: ${operation.operation} ${operation.name?.value ?? '(anonymous)'}`
    },
    follows: () => ['VA-1', 'EX-1'],
  },
  check: {
    title: 'method',
    looksAt: ({ head, operation }) => `a ${operation?.operation} by ${head.method}`,
    follows: ({ head }) =>
      head.method === 'GET' || head.method === 'HEAD' ? ['GET-7'] : ['R9110-9.2.1'],
  },
  cost: {
    title: 'cost',
    looksAt: ({ cost }) => `a cost of ${cost}`,
    follows: () => ['VA-2'],
  },
  admit: {
    title: 'admit',
    looksAt: (_, options) =>
      options.admit === undefined ? 'no `admit`: every operation may run' : 'what `admit` says',
    follows: none,
  },
  around: {
    title: 'around',
    looksAt: () => 'what `around` does with the rest',
    follows: none,
  },
  context: {
    title: 'context',
    looksAt: (_, options) =>
      options.context === undefined
        ? 'no `context`: resolvers get the request'
        : 'what `context` returns',
    follows: none,
  },
  execute: {
    title: 'execute',
    looksAt: ({ result }) => {
      if (result === undefined) return 'the operation'
      if (result.kind === 'events') return `a stream of events of ${result.field}`
      if (result.kind === 'incremental') return 'a result in parts'
      const { length } = result.errors
      return `a result with ${length === 0 ? 'no errors' : length === 1 ? '1 error' : `${length} errors`}`
    },
    follows: () => ['EX-1'],
  },
  respond: {
    title: 'respond',
    looksAt: ({ encoding, errors }) =>
      `${encoding.success.name}${errors.length === 0 ? '' : `, ${errors.length} of errors`}`,
    follows: ({ errors }) => [errors.length === 0 ? 'SC-4' : 'SC-5', 'BD-2'],
  },
}

type WithHead = Pick<Facts, 'head'>

function field(name: string, key: string): (known: WithHead) => string {
  return ({ head }) => `${name}: ${printable(fieldValue(head.headers, key) ?? '(none)')}`
}

/** Only if the field is there. */
function given(name: string, key: string): (known: WithHead) => string {
  return ({ head }) => {
    const value = fieldValue(head.headers, key)
    return value === undefined ? '' : `, ${name}: ${printable(value)}`
  }
}

function listParams(params: object): string {
  const names = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : name))
  return names.join(', ')
}

/** The steps of a request, in order, with these options. */
export function listSteps(options: Options<Incoming>, hasBody: boolean): readonly Step[] {
  const { ide, credentialsFirst, documents, apq } = options
  const who = ['load', 'credentials'] as const
  const head = ['requestLine', 'accept', 'content'] as const
  return [
    'framing',
    'options',
    ...(ide === undefined ? [] : (['ide'] as const)),
    ...(credentialsFirst === true ? [...who, ...head] : [...head, ...who]),
    hasBody ? 'body' : 'url',
    ...(documents === undefined && apq === undefined ? [] : (['document'] as const)),
    'schema',
    'prepare',
    'check',
    'cost',
    'admit',
    ...(options.around === undefined ? [] : (['around'] as const)),
    'context',
    'execute',
    'respond',
  ]
}
