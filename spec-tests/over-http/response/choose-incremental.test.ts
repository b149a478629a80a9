import t from 'tap'
import { createEncodingChooser } from '../../../src/over-http/response/choose-encoding.js'
import { editions } from '../../../src/over-http/editions.js'

const json = 'application/json'
const graphql = 'application/graphql-response+json'

/** What is chosen for results in parts, and for whole ones. */
// oxfmt-ignore
const rows: readonly [accept: string | undefined, inParts: string | undefined, whole: string | undefined][] = [
  // Nobody asked for parts.
  [undefined,                                                    undefined,                    'json'],
  ['*/*',                                                        undefined,                    'json'],
  ['multipart/*, application/*, text/*',                         undefined,                    'json'],
  [json,                                                         undefined,                    'json'],
  ['text/html, application/*;q=0.5, */*;q=0.8',                  undefined,                    'json'],
  // A type, with a format or without.
  ['multipart/mixed',                                            'multipart/mixed v0.2',       undefined],
  ['multipart/mixed;incrementalSpec=v0.2',                       'multipart/mixed v0.2',       undefined],
  ['multipart/mixed;deferSpec=20220824',                         'multipart/mixed 20220824',   undefined],
  ['Multipart/Mixed; DeferSpec="20220824"',                      'multipart/mixed 20220824',   undefined],
  ['multipart/mixed;boundary=abc;deferSpec=20220824',            'multipart/mixed 20220824',   undefined],
  ['text/event-stream',                                          'text/event-stream v0.2',     'event-stream'],
  ['text/event-stream;deferSpec=20220824',                       'text/event-stream 20220824', 'event-stream'],
  ['text/event-stream;charset=utf-8;incrementalSpec=v0.2',       'text/event-stream v0.2',     'event-stream'],
  ['application/jsonl',                                          'application/jsonl v0.2',     undefined],
  ['application/jsonl;charset=UTF-8;deferSpec=20220824',         'application/jsonl 20220824', undefined],
  // Formats and parameters that are not known.
  ['multipart/mixed;incrementalSpec=v0.1',                       undefined,                    undefined],
  ['multipart/mixed;deferSpec=2022',                             undefined,                    undefined],
  ['multipart/mixed;deferSpec=20220824;incrementalSpec=v0.2',    undefined,                    undefined],
  ['multipart/mixed;subscriptionSpec=1.0',                       undefined,                    undefined],
  ['multipart/mixed;subscriptionSpec=1.0;profile=x',             undefined,                    undefined],
  ['multipart/mixed;profile=x',                                  undefined,                    undefined],
  ['text/event-stream;boundary=x',                               undefined,                    undefined],
  ['application/jsonl;charset=utf-16',                           undefined,                    undefined],
  // Weights.
  [`multipart/mixed, ${json}`,                                   'multipart/mixed v0.2',       'json'],
  [`${json}, multipart/mixed;q=0.9`,                             undefined,                    'json'],
  [`${json};q=0.9, multipart/mixed`,                             'multipart/mixed v0.2',       'json'],
  [`${json};q=0.5, ${graphql}, multipart/mixed;q=0.9`,           undefined,                    'json'],
  ['multipart/mixed, */*',                                       'multipart/mixed v0.2',       'json'],
  ['multipart/mixed;q=0',                                        undefined,                    undefined],
  [`multipart/mixed;q=0, ${json};q=0`,                           undefined,                    undefined],
  ['multipart/mixed;q=0.5, text/event-stream',                   'text/event-stream v0.2',     'event-stream'],
  ['application/jsonl, text/event-stream, multipart/mixed',      'multipart/mixed v0.2',       'event-stream'],
  ['multipart/mixed;deferSpec=20220824, multipart/mixed',        'multipart/mixed v0.2',       undefined],
  ['multipart/mixed;deferSpec=20220824, multipart/mixed;q=0.9',  'multipart/mixed 20220824',   undefined],
  // Apollo Client with either handler, and urql.
  [`multipart/mixed;deferSpec=20220824, ${graphql}, ${json};q=0.9`,     'multipart/mixed 20220824', 'json'],
  [`multipart/mixed;incrementalSpec=v0.2, ${graphql}, ${json};q=0.9`,   'multipart/mixed v0.2',     'json'],
  [`${graphql}, application/graphql+json, ${json}, text/event-stream, multipart/mixed`, 'multipart/mixed v0.2', 'json'],
]

for (const edition of ['2026-09', '2025-05'] as const) {
  const choose = createEncodingChooser(editions[edition])
  for (const [accept, inParts, whole] of rows) {
    void t.test(`${edition}, ${accept ?? 'no Accept'}: ${inParts ?? 'not in parts'}`, async (t) => {
      const { incremental, single, acceptable, events } = choose(accept)
      t.equal(incremental && `${incremental.type} ${incremental.format}`, inParts)
      t.equal(single, whole)
      const isAny = [incremental, single, events].some((one) => one !== undefined)
      t.equal(acceptable, isAny)
    })
  }
}

// oxfmt-ignore
const subscriptions: readonly [accept: string, events: string | undefined][] = [
  ['multipart/mixed',                                   undefined],
  ['multipart/mixed;subscriptionSpec=1.0',              'multipart'],
  ['multipart/mixed;subscriptionSpec=1.0;boundary="-"', 'multipart'],
  ['multipart/mixed;subscriptionSpec=2.0',              undefined],
  ['multipart/mixed;subscriptionSpec=1.0;profile=x',    undefined],
  ['text/event-stream, multipart/mixed',                'event-stream'],
]

void t.test('subscriptions in parts need their parameter', async (t) => {
  const choose = createEncodingChooser(editions['2026-09'])
  for (const [accept, events] of subscriptions) t.equal(choose(accept).events, events, accept)
})
