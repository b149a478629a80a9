import { formatTable, joinSections } from './markdown.js'

interface Explanation {
  readonly audits: readonly string[]
  readonly result: 'warn' | 'notice'
  readonly wants: string
  /** What September 2026 says instead. */
  readonly says: string
  readonly statement: string
}

const notWellFormed = {
  result: 'notice',
  says: 'not well-formed: 422',
  statement: 'SC-15',
} as const

// oxfmt-ignore
export const explanations: readonly Explanation[] = [
  {
    audits: ['47DE'],
    result: 'warn',
    wants: '`*/*` gets application/json',
    says: 'the best supported type, which is application/graphql-response+json',
    statement: 'BD-5',
  },
  {
    audits: ['80D8'],
    result: 'warn',
    wants: 'a request without Accept gets application/json',
    says: 'the server chooses; application/json is no longer an official response type',
    statement: 'BD-4',
  },
  { audits: ['423L'],                         wants: '400 for a missing query',                       ...notWellFormed },
  { audits: ['LKJ0', 'LKJ1', 'LKJ2', 'LKJ3'], wants: '400 for a query that is not a string',          ...notWellFormed },
  { audits: ['6C00', '6C01', '6C02', '6C03'], wants: '400 for an operationName that is not a string', ...notWellFormed },
  { audits: ['4760', '4761', '4762', '4763'], wants: '400 for variables that are not a map',          ...notWellFormed },
  { audits: ['58B0', '58B1', '58B2', '58B3'], wants: '400 for extensions that are not a map',         ...notWellFormed },
  { audits: ['3E3A'],                         wants: '400 for variables that are a list',             ...notWellFormed },
  {
    audits: ['572B'],
    result: 'warn',
    wants: '200 for a document that does not parse, as application/json',
    says: 'legacy clients get the full range of statuses too: 400',
    statement: 'BD-7, SC-16',
  },
  {
    audits: ['FDE2'],
    result: 'warn',
    wants: '200 for what the audit calls a validation failure, as application/json',
    says: '400: its document has a syntax error',
    statement: 'BD-7, SC-16',
  },
  { audits: ['7B9B'], result: 'warn', wants: '200 for what the audit calls a coercion failure, as application/json', says: '422', statement: 'BD-7, SC-17' },
  {
    audits: ['86EE'],
    result: 'warn',
    wants: '400 for what the audit calls a coercion failure',
    says: '422: its variable is unused, so the document fails validation',
    statement: 'SC-17',
  },
]

/** How many audits graphql-http has. */
export const total = 61

/** The page of the site about the audits of graphql-http. */
export function makeAuditsPage(): string {
  const notOk = explanations.flatMap(({ audits }) => audits).length
  return joinSections([
    '# The audits of graphql-http',
    `The ${total} audits of \`graphql-http\` test drafts of the specification from before 2026.`,
    `- With \`edition: '2025-05'\` all ${total} are ok.\n` +
      `- With \`edition: '2026-09'\` (September 2026) ${total - notOk} are ok and none is an error. The other ${notOk} contradict ` +
      'that edition, for the reasons below. A server cannot pass them all and follow September 2026.',
    formatTable([
      ['Audit', 'Result', 'What it wants', 'What September 2026 says', 'Statement'],
      ...explanations.map(({ audits, result, wants, says, statement }) => [
        audits.join(', '),
        result,
        wants,
        says,
        statement,
      ]),
    ]),
  ])
}
