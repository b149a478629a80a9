import { readFileSync, writeFileSync } from 'node:fs'
import { auditServer } from 'graphql-http'
import t from 'tap'
import { serve } from '../src/hosts/node/index.js'
import type { EditionName } from '../src/index.js'
import { createStandardSchema } from '../src/standard/standard-schema.js'

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
const explanations: readonly Explanation[] = [
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

/** The audits that are not ok, by their result. */
async function audit(edition: EditionName) {
  const server = await serve({ schema: createStandardSchema(), port: 0, edition })
  const results = await auditServer({ url: server.url, fetchFn: fetch })
  await server.close()
  const others = results.filter(({ status }) => status !== 'ok')
  return { total: results.length, others: others.map(({ id, status }) => [id, status] as const) }
}

function formatPage(total: number, notOk: number): string {
  const rows = explanations.map(({ audits, result, wants, says, statement }) =>
    ['', audits.join(', '), result, wants, says, statement, ''].join(' | ').trim(),
  )
  return [
    '<!-- Written by `npm run report:audits`. Do not edit. -->',
    '',
    '# The audits of graphql-http',
    '',
    `The ${total} audits of \`graphql-http\` test drafts of the specification from before 2026.`,
    '',
    `- With \`edition: '2025-05'\` all ${total} are ok.`,
    `- With \`edition: '2026-09'\` (September 2026) ${total - notOk} are ok and none is an error. The other ${notOk} contradict`,
    '  that edition, for the reasons below. A server cannot pass them all and follow September 2026.',
    '',
    '| Audit | Result | What it wants | What September 2026 says | Statement |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

void t.test('with edition 2025-05 all 61 audits are ok', async (t) => {
  t.strictSame(await audit('2025-05'), { total: 61, others: [] })
})

void t.test('with edition 2026-09 each audit that is not ok is explained', async (t) => {
  const { total, others } = await audit('2026-09')
  t.equal(total, 61)
  const explained = explanations.flatMap(({ audits, result }) => audits.map((id) => [id, result]))
  t.strictSame(Object.fromEntries(others), Object.fromEntries(explained))

  const page = new URL('../../docs/reports/audits.md', import.meta.url)
  const made = formatPage(total, others.length)
  if (process.env['UPDATE'] === '1') writeFileSync(page, made)
  t.equal(
    readFileSync(page, 'utf8'),
    made,
    'docs/reports/audits.md matches; `npm run report:audits` writes it',
  )
})
