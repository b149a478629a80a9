import { graphqlResponse, json, post, type Row } from './row.js'

const query = '{ echo(s: "hello") }'
const data = { echo: 'hello' }

/** Accept, the type of a 200 in edition 2026-09 and the type in 2025-05; null where nothing is acceptable. */
// oxfmt-ignore
const table: readonly [
  accept: string | readonly string[] | undefined,
  type: Row['type'],
  older: Row['type'],
][] = [
  [undefined,                                     graphqlResponse, json],
  ['',                                            graphqlResponse, json],
  [' , ,',                                        graphqlResponse, json],
  ['*/*',                                         graphqlResponse, json],
  ['application/*',                               graphqlResponse, json],
  [graphqlResponse,                               graphqlResponse, graphqlResponse],
  ['Application/GraphQL-Response+JSON',           graphqlResponse, graphqlResponse],
  [`${graphqlResponse}; charset=utf-8`,           graphqlResponse, graphqlResponse],
  [`${graphqlResponse};charset="UTF-8"`,          graphqlResponse, graphqlResponse],
  [`${graphqlResponse};charset=utf-16`,           null,            null],
  [json,                                          json,            json],
  [`${json}; charset=utf-8`,                      json,            json],
  [`${json};q=0.001`,                             json,            json],
  [`${graphqlResponse}, ${json};q=0.9`,           graphqlResponse, graphqlResponse],
  [`${json}, ${graphqlResponse}`,                 graphqlResponse, json],
  [`${graphqlResponse}, ${json}`,                 graphqlResponse, json],
  [`${json}, ${graphqlResponse};q=0.9`,           json,            json],
  [`${json};q=0.2 , ${graphqlResponse} ; Q=0.5`,  graphqlResponse, graphqlResponse],
  [`${json};q=1.000, ${graphqlResponse};q=0.999`, json,            json],
  [`*/*, ${json};q=0`,                            graphqlResponse, graphqlResponse],
  [`*/*, ${graphqlResponse};q=0`,                 json,            json],
  [`*/*;q=0.1, ${json};q=0.5`,                    json,            json],
  [`application/*;q=0.5, ${json};q=0.4`,          graphqlResponse, graphqlResponse],
  [`application/*;q=0, ${json}`,                  json,            json],
  ['text/html, */*;q=0.1',                        graphqlResponse, json],
  ['text/html, image/gif, *; q=.2, */*; q=.2',    graphqlResponse, json],
  [['text/html', json],                           json,            json],
  [[`${json};q=0.5`, `${graphqlResponse};q=0.9`], graphqlResponse, graphqlResponse],
  [`text/plain;a="x, ${json}"`,                   null,            null],
  [`text/plain;a="x\\", ${json}", ${json}`,       json,            json],
  [`${json};q=0.5;ext=1`,                         json,            json],
  [`${json};q=2, ${graphqlResponse};q=0.1`,       graphqlResponse, graphqlResponse],
  [`${json};q=0.1234, ${graphqlResponse};q=0.1`,  graphqlResponse, graphqlResponse],
  [`${json};profile=x`,                           null,            null],
  [`${json};q=0`,                                 null,            null],
  [`${graphqlResponse};q=0.0, ${json};q=0.000`,   null,            null],
  ['*/*;q=0',                                     null,            null],
  ['image/png',                                   null,            null],
  ['application/graphql',                         null,            null],
  ['*/json',                                      null,            null],
  ['nonsense',                                    null,            null],
]

const name = (accept: string | readonly string[] | undefined): string =>
  JSON.stringify(accept) ?? 'no Accept'

const negotiated = table.flatMap(([accept, type, older]): Row[] => {
  const headers = accept === undefined ? {} : { Accept: accept }
  const both = [
    ['2026-09', type],
    ['2025-05', older],
  ] as const
  return both.map(([edition, expected]): Row =>
    expected === null
      ? {
          title: `${edition}, ${name(accept)}: 406 and nothing runs`,
          statements: ['BD-6', 'BD-8', 'SC-10', 'RS-2'],
          edition,
          request: post({ query: 'mutation { increment }' }, headers),
          status: 406,
          code: 'NOT_ACCEPTABLE',
          type: refusedType(accept),
        }
      : {
          title: `${edition}, ${name(accept)}: ${expected}`,
          statements: [
            'BD-5',
            'BD-4',
            'BD-7',
            'BD-2',
            'BD-3',
            'URL-7',
            'RS-2',
            'LB-1',
            'LB-2',
            'MT-1',
          ],
          edition,
          request: post({ query }, headers),
          status: 200,
          type: expected,
          data,
        },
  )
})

/** A refusal is labelled graphql-response+json unless Accept refuses just that. */
function refusedType(accept: string | readonly string[] | undefined): Row['type'] {
  return String(accept).includes(`${graphqlResponse};q=0.0`) || accept === '*/*;q=0'
    ? json
    : graphqlResponse
}

/** Which answers are labelled how for a client that reads only application/json. */
const legacy: readonly Row[] = [
  {
    title: 'a client of application/json gets a 4xx labelled graphql-response+json',
    statements: ['BD-7'],
    request: post({ query: '{ nope }' }, { Accept: json }),
    status: 422,
    type: graphqlResponse,
  },
  {
    title: 'unless it refuses that type',
    statements: ['BD-5', 'BD-7'],
    request: post({ query: '{ nope }' }, { Accept: `${json}, */*;q=0` }),
    status: 422,
    type: json,
  },
  {
    title: 'a refusal outside GraphQL is labelled the same way',
    statements: ['BD-7'],
    request: post({ query: 1 }, { Accept: json }),
    status: 422,
    type: graphqlResponse,
  },
  {
    title: 'a refusal outside GraphQL respects q=0',
    statements: ['BD-5'],
    request: post({ query: 1 }, { Accept: `${json}, ${graphqlResponse};q=0` }),
    status: 422,
    type: json,
  },
  {
    title: '405 comes before 406',
    statements: ['SC-8'],
    request: { method: 'PUT', headers: { Accept: 'image/png' } },
    status: 405,
  },
  {
    title: '406 comes before 415',
    statements: ['SC-10'],
    request: { body: 'x', headers: { Accept: 'image/png', 'Content-Type': 'text/plain' } },
    status: 406,
  },
  {
    title: '415 comes before 413',
    statements: ['SC-9'],
    options: { maxBodyBytes: 1 },
    request: { body: 'xx', headers: { 'Content-Length': '2', 'Content-Type': 'text/plain' } },
    status: 415,
  },
  {
    title: 'answers vary by Accept',
    statements: ['RS-2'],
    request: post({ query }),
    status: 200,
    data,
    headers: { vary: 'Accept' },
  },
]

/** Content negotiation. */
export const acceptRows: readonly Row[] = [...negotiated, ...legacy]
