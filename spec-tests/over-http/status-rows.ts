import { get, graphqlResponse, json, post, type Row } from './row.js'

const old = '2025-05'
const both = { Accept: graphqlResponse }
const legacy = { Accept: json }

/** What fails, the document, and its statement; in three ways of asking. */
// oxfmt-ignore
const failures: readonly [
  what: string,
  params: { query: string; [name: string]: unknown },
  status: number,
  code: string,
  statements: readonly string[],
  older: string,
][] = [
  ['a document that does not parse', { query: '{' },                                                 400, 'GRAPHQL_PARSE_FAILED',         ['SC-16'], 'LJ-7'],
  ['an empty document',              { query: '' },                                                  400, 'GRAPHQL_PARSE_FAILED',         ['SC-16'], 'LJ-7'],
  ['a document that is not valid',   { query: '{ nope }' },                                          422, 'GRAPHQL_VALIDATION_FAILED',    ['SC-17'], 'LJ-8'],
  ['a mutation that is not valid',   { query: 'mutation { increment nope }' },                       422, 'GRAPHQL_VALIDATION_FAILED',    ['SC-17'], 'LJ-8'],
  ['an unknown operation',           { query: 'mutation A { increment }', operationName: 'B' },      422, 'OPERATION_RESOLUTION_FAILURE', ['SC-18'], 'LJ-9'],
  ['an empty operation name',        { query: 'mutation A { increment }', operationName: '' },       422, 'OPERATION_RESOLUTION_FAILURE', ['SC-18'], 'LJ-9'],
  ['several operations and no name', { query: 'mutation A { increment } mutation B { increment }' }, 422, 'OPERATION_RESOLUTION_FAILURE', ['SC-18'], 'LJ-9'],
  ['a missing variable', { query: 'mutation ($n: String!) { increment renamePerson(id: 1, name: $n) { id } }' }, 422, 'BAD_USER_INPUT', ['SC-19'], 'LJ-10'],
  [
    'a null variable',
    {
      query: 'mutation ($n: String!) { increment renamePerson(id: 1, name: $n) { id } }',
      variables: { n: null },
    },
    422,
    'BAD_USER_INPUT',
    ['SC-19'],
    'LJ-10',
  ],
  [
    'a variable of another type',
    {
      query: 'mutation ($n: String!) { increment renamePerson(id: 1, name: $n) { id } }',
      variables: { n: 7 },
    },
    422,
    'BAD_USER_INPUT',
    ['SC-19'],
    'LJ-10',
  ],
]

const requestErrors = failures.flatMap(([what, params, status, code, statements, older]): Row[] => [
  {
    title: `${what} is ${status}`,
    statements: [...statements, 'SC-6', 'SC-7', 'RS-1', 'BD-1', 'GS-1', 'GS-2', 'GS-3', 'GS-4'],
    request: post(params, both),
    status,
    code,
  },
  {
    title: `${what} is ${status} for a client of application/json`,
    statements: [...statements, 'BD-7'],
    request: post(params, legacy),
    status,
    code,
  },
  {
    title: `${what} is 400 in edition 2025-05`,
    statements,
    edition: old,
    request: post(params, both),
    status: 400,
    code,
  },
  {
    title: `${what} is 200 in edition 2025-05 for a client of application/json`,
    statements: [...statements, 'LJ-1', 'LJ-3', older],
    edition: old,
    request: post(params, legacy),
    status: 200,
    type: json,
    code,
  },
])

const partial: readonly Row[] = [
  {
    title: 'data beside errors is 294',
    statements: ['SC-3', 'SC-5', 'EX-1', 'GS-5'],
    request: post({ query: '{ counter fail }' }, both),
    status: 294,
    data: { counter: 0, fail: null },
    errors: 1,
  },
  {
    title: 'data beside errors is 294 by GET',
    statements: ['SC-5'],
    request: get({ query: '{ counter fail }' }),
    status: 294,
    data: { counter: 0, fail: null },
    errors: 1,
  },
  {
    title: 'null data beside errors is 294',
    statements: ['SC-5'],
    request: post({ query: '{ counter failNonNull }' }, both),
    status: 294,
    data: null,
    errors: 1,
  },
  {
    title: 'data beside errors is 200 for a client of application/json',
    statements: ['SC-3', 'BD-7'],
    request: post({ query: '{ counter fail }' }, legacy),
    status: 200,
    type: json,
    data: { counter: 0, fail: null },
    errors: 1,
  },
  {
    title: 'null data beside errors is 200 for a client of application/json',
    statements: ['BD-7'],
    request: post({ query: '{ failNonNull }' }, legacy),
    status: 200,
    type: json,
    data: null,
    errors: 1,
  },
  {
    title: '294 can be turned into 200',
    statements: ['SC-3'],
    options: { partialSuccessStatus: 200 },
    request: post({ query: '{ counter fail }' }, both),
    status: 200,
    data: { counter: 0, fail: null },
    errors: 1,
  },
  {
    title: 'data beside errors is 200 in edition 2025-05',
    statements: ['SC-5', 'SC-3'],
    edition: old,
    request: post({ query: '{ counter fail }' }, both),
    status: 200,
    data: { counter: 0, fail: null },
    errors: 1,
  },
  {
    title: 'null data beside errors is 200 in edition 2025-05',
    statements: ['LS-1', 'SC-23'],
    edition: old,
    request: post({ query: '{ failNonNull }' }, both),
    status: 200,
    data: null,
    errors: 1,
  },
  {
    title: 'data beside errors is 200 in edition 2025-05 as application/json',
    statements: ['LJ-2', 'LJ-11'],
    edition: old,
    request: post({ query: '{ counter fail }' }, legacy),
    status: 200,
    type: json,
    data: { counter: 0, fail: null },
    errors: 1,
  },
  {
    title: 'two failing fields are two errors',
    statements: ['EX-1'],
    request: post({ query: '{ a: fail b: fail }' }),
    status: 294,
    data: { a: null, b: null },
    errors: 2,
  },
]

/** One violation of each validation rule that the standard schema allows. */
// oxfmt-ignore
const invalid: readonly [rule: string, query: string][] = [
  ['ExecutableDefinitions',        '{ counter } type A { b: Int }'],
  ['FieldsOnCorrectType',          '{ person(id: 1) { nope } }'],
  ['FragmentsOnCompositeTypes',    '{ counter ...f } fragment f on Int { x }'],
  ['KnownArgumentNames',           '{ counter(a: 1) }'],
  ['KnownDirectives',              '{ counter @nope }'],
  ['KnownFragmentNames',           '{ ...nope }'],
  ['KnownTypeNames',               'query ($a: Nope) { counter }'],
  ['LoneAnonymousOperation',       '{ counter } query A { counter }'],
  ['NoFragmentCycles',             '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
  ['NoUndefinedVariables',         '{ echo(s: $s) }'],
  ['NoUnusedFragments',            '{ counter } fragment f on Query { counter }'],
  ['NoUnusedVariables',            'query ($s: String) { counter }'],
  ['OverlappingFieldsCanBeMerged', '{ a: echo(s: "x") a: echo(s: "y") }'],
  ['PossibleFragmentSpreads',      '{ ... on Person { id } }'],
  ['ProvidedRequiredArguments',    '{ echo }'],
  ['ScalarLeafs',                  '{ person(id: 1) }'],
  ['ScalarLeafs',                  '{ counter { x } }'],
  ['UniqueArgumentNames',          '{ echo(s: "x", s: "y") }'],
  ['UniqueDirectivesPerLocation',  '{ counter @skip(if: true) @skip(if: true) }'],
  ['UniqueFragmentNames',          '{ ...f } fragment f on Query { counter } fragment f on Query { counter }'],
  ['UniqueOperationNames',         'query A { counter } query A { counter }'],
  ['UniqueVariableNames',          'query ($s: String!, $s: String!) { echo(s: $s) }'],
  ['ValuesOfCorrectType',          '{ echo(s: 1) }'],
  ['VariablesAreInputTypes',       'query ($p: Person) { counter }'],
  ['VariablesInAllowedPosition',   'query ($s: String) { echo(s: $s) }'],
]

const validation = invalid.map(([rule, query]): Row => ({
  title: `${rule} is applied: ${query}`,
  statements: ['VA-1', 'SC-17'],
  request: post({ query, operationName: query.includes('query A') ? 'A' : undefined }),
  status: 422,
  code: 'GRAPHQL_VALIDATION_FAILED',
  errors: -1,
}))

const streaming: readonly Row[] = [
  {
    title: 'a subscription without its root type is 422',
    statements: ['SC-6'],
    request: post({ query: 'subscription { x }' }),
    status: 422,
    errors: -1,
  },
  {
    title: 'no answer to a mutation may be stored',
    statements: ['RS-2'],
    request: post({ query: 'mutation { increment }' }),
    status: 200,
    data: { increment: 1 },
    increments: 1,
    headers: { 'cache-control': 'no-store' },
  },
  {
    title: 'no error may be stored',
    statements: ['RS-2'],
    request: get({ query: '{' }),
    status: 400,
    headers: { 'cache-control': 'no-store' },
  },
  {
    title: 'no partial answer may be stored',
    statements: ['RS-2'],
    request: get({ query: '{ fail }' }),
    status: 294,
    data: { fail: null },
    errors: 1,
    headers: { 'cache-control': 'no-store' },
  },
  {
    title: 'an answer to a GET is used again only where the embedder says so',
    statements: ['RS-2'],
    request: get({ query: '{ counter }' }),
    status: 200,
    data: { counter: 0 },
    headers: { 'cache-control': 'no-cache' },
  },
  {
    title: 'so is an answer to a QUERY',
    statements: ['RS-2'],
    request: { ...post({ query: '{ counter }' }), method: 'QUERY' },
    status: 200,
    data: { counter: 0 },
    headers: { 'cache-control': 'no-cache' },
  },
  {
    title: 'an answer to a query by POST needs no word for caches',
    statements: ['RS-2'],
    request: post({ query: '{ counter }' }),
    status: 200,
    data: { counter: 0 },
    headers: { 'cache-control': null },
  },
  {
    title: 'a bug is 500, masked, and no GraphQL data',
    statements: ['SC-1', 'SC-7', 'SC-2'],
    options: {
      context: () => {
        throw new Error('secret')
      },
      onBug: () => {},
    },
    request: post({ query: '{ counter }' }),
    status: 500,
    code: 'INTERNAL_SERVER_ERROR',
  },
]

/** The status of every outcome. */
export const statusRows: readonly Row[] = [
  ...requestErrors,
  ...partial,
  ...validation,
  ...streaming,
]
