import { personCount } from './servers/people.mjs'

const personFields = '{ id name age address { street city country } friends(limit: 5) { id name } }'
const personQuery = `query P($id: ID!) { person(id: $id) ${personFields} }`

const memberQuery = '{ members(limit: 500) { name initials isAdult } }'

const beingQuery = `
  { beings(limit: 20) { __typename ...Named ...Whole ... on Robot { id parts(limit: 2) { ...Parts } } } }
  fragment Named on Named { name }
  fragment Whole on Being { ... on Person { id ...Address } ... on Robot { owner { id ...Address } } }
  fragment Address on Person { address { ...City country } }
  fragment City on Address { city street }
  fragment Parts on Robot { id name owner { name } parts(limit: 2) { id name parts(limit: 2) { id ...Named } } }
`

/** How many different ids are requested in turn. */
const idCount = 256

/**
 * The requests. `request(n)` gives the parameters of the n-th request; `distinct` says how many of them differ.
 * `resolvers` are 'sync' unless said otherwise, `method` is POST, and the answer is `data` without errors.
 */
export const workloads = [
  {
    name: 'W1',
    title: 'a constant field',
    distinct: 1,
    request: () => ({ query: '{ hello }' }),
  },
  {
    name: 'W2',
    title: `a person with address and friends, ${idCount} ids in turn`,
    distinct: idCount,
    request: (n) => ({ query: personQuery, variables: { id: idOf(n) } }),
  },
  {
    name: 'W2-async',
    title: 'W2 with resolvers that are asynchronous functions',
    distinct: idCount,
    resolvers: 'async',
    request: (n) => ({ query: personQuery, variables: { id: idOf(n) } }),
  },
  {
    name: 'W3',
    title: 'a list of 500 persons',
    distinct: 1,
    request: () => ({ query: '{ people(limit: 500) { id name email age address { city } } }' }),
  },
  {
    name: 'W4',
    title: 'W1 by GET',
    distinct: 1,
    method: 'GET',
    request: () => ({ query: '{ hello }' }),
  },
  {
    name: 'W5',
    title: 'W2 as a document never seen before: another operation name and alias each time',
    distinct: Infinity,
    request: (n) => ({
      query: `query P${n}($id: ID!) { a${n}: person(id: $id) ${personFields} }`,
      variables: { id: idOf(n) },
    }),
  },
  {
    name: 'W6',
    title: 'W2 with 33 KB of variables, of which the document declares only one',
    distinct: idCount,
    request: (n) => ({ query: personQuery, variables: { id: idOf(n), history } }),
  },
  {
    name: 'W7',
    title: 'a list of 500 with three resolvers each',
    distinct: 1,
    request: () => ({ query: memberQuery }),
  },
  {
    name: 'W8',
    title: 'W7 with one of the three resolvers asynchronous',
    distinct: 1,
    resolvers: 'one-async',
    request: () => ({ query: memberQuery }),
  },
  {
    name: 'W9',
    title: 'deep nesting with fragments and a union',
    distinct: 1,
    request: () => ({ query: beingQuery }),
  },
  {
    name: 'W10',
    title: `a mutation, ${idCount} ids in turn`,
    distinct: idCount,
    request: (n) => ({
      query:
        'mutation R($id: ID!, $name: String!) { rename(id: $id, name: $name) { id name age email } }',
      variables: { id: idOf(n), name: `Person ${idOf(n)}` },
    }),
  },
  {
    name: 'error',
    title: 'a known document that is not valid',
    distinct: 1,
    refused: true,
    request: () => ({ query: '{ person(id: "1") { id nickname } }' }),
  },
]

/** Servers ignore variables that the document does not declare, so the schema does not need them. */
const history = Array.from({ length: 275 }, (_, at) => ({
  at: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
  page: `/people/${idOf(at)}/friends`,
  seconds: at * 1.5,
  device: { name: 'browser', mobile: at % 3 === 0 },
}))

function idOf(n) {
  return String((n % idCount) * Math.floor(personCount / idCount) + 1)
}

/** The bytes of a request of a workload, as text; all of it is ASCII. */
export function toHttp({ method = 'POST', request }, n) {
  const { query, variables } = request(n)
  if (method === 'GET') return `GET /graphql?${new URLSearchParams({ query })}${head}\r\n`
  const body = JSON.stringify({ query, variables })
  return `POST /graphql${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

// The last is what Apollo wants to see with GET; all get the same.
const head = [
  ' HTTP/1.1',
  'Host: 127.0.0.1',
  'Accept: application/graphql-response+json, application/json;q=0.9',
  'Apollo-Require-Preflight: true',
  '',
].join('\r\n')
