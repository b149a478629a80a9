import t from 'tap'
import { readCurlRequest } from '../../../src/cli/explain/curl-request.js'

const file = `${t.testdir({ 'body.json': '{"query":\n"{ a }"}\n' })}/body.json`

const any = ['Accept', '*/*']
const json = ['Content-Type', 'application/json']
const form = ['Content-Type', 'application/x-www-form-urlencoded']

// oxfmt-ignore
const requests: readonly [words: readonly string[], method: string, url: string | undefined, headers: readonly (readonly string[])[], body: string | undefined][] = [
  [[],                                             'GET',   undefined,   [any],                                                     undefined],
  [['/graphql?query=1'],                           'GET',   '/graphql?query=1', [any],                                              undefined],
  [['-X', 'QUERY', '-d', 'a'],                     'QUERY', undefined,   [any, form],                                               'a'],
  [['-XPOST'],                                     'POST',  undefined,   [any],                                                     undefined],
  [['-sSi', '-XPUT'],                              'PUT',   undefined,   [any],                                                     undefined],
  [['-d', 'a=1', '-d', 'b=2'],                     'POST',  undefined,   [any, form],                                               'a=1&b=2'],
  [['--data-raw', '@x'],                           'POST',  undefined,   [any, form],                                               '@x'],
  [['-d', `@${file}`],                             'POST',  undefined,   [any, form],                                               '{"query":"{ a }"}'],
  [['--data-binary', `@${file}`],                  'POST',  undefined,   [any, form],                                               '{"query":\n"{ a }"}\n'],
  [['--json', '{}'],                               'POST',  undefined,   [['Accept', 'application/json'], json],                    '{}'],
  [['--json', '{}', '-H', 'accept: text/html'],    'POST',  undefined,   [json, ['accept', 'text/html']],                           '{}'],
  [['-H', 'Accept:'],                              'GET',   undefined,   [],                                                        undefined],
  [['-H', 'X-Empty;'],                             'GET',   undefined,   [any, ['X-Empty', '']],                                    undefined],
  [['-H', 'A: 1', '-H', 'A: 2'],                   'GET',   undefined,   [any, ['A', '1'], ['A', '2']],                             undefined],
  [['-G', '-d', 'a=1', '/x'],                      'GET',   '/x?a=1',    [any],                                                     undefined],
  [['-G', '-d', 'a=1', '/x?b=2'],                  'GET',   '/x?b=2&a=1', [any],                                                    undefined],
  [['-G', '--data-urlencode', 'query={ a }'],      'GET',   '?query=%7B%20a%20%7D', [any],                                          undefined],
  [['-I', '/x'],                                   'HEAD',  '/x',        [any],                                                     undefined],
  [['-u', 'me:secret'],                            'GET',   undefined,   [any, ['Authorization', 'Basic bWU6c2VjcmV0']],            undefined],
  [['-u', 'a:b', '-u', 'me:secret'],               'GET',   undefined,   [any, ['Authorization', 'Basic bWU6c2VjcmV0']],            undefined],
  [['-A', 'x', '-A', 'y'],                         'GET',   undefined,   [any, ['User-Agent', 'y']],                                undefined],
  [['-b', 'a=1', '-b', 'b=2'],                     'GET',   undefined,   [any, ['Cookie', 'a=1;b=2']],                              undefined],
  [['localhost:4000/graphql'],                     'GET',   'http://localhost:4000/graphql', [any],                                undefined],
  [['example.com?a=1'],                            'GET',   'http://example.com?a=1', [any],                                       undefined],
  [['[::1]:4000'],                                 'GET',   'http://[::1]:4000', [any],                                            undefined],
  [['-g', '--path-as-is', 'http://localhost/'],    'GET',   'http://localhost/', [any],                                            undefined],
  [['-u', 'me:secret', '-H', 'authorization: x'],  'GET',   undefined,   [any, ['authorization', 'x']],                             undefined],
  [['-A', 'x', '-H', 'User-Agent: y'],             'GET',   undefined,   [any, ['User-Agent', 'y']],                                undefined],
  [['-b', 'a=1', '-H', 'Cookie: b=2'],             'GET',   undefined,   [any, ['Cookie', 'b=2']],                                  undefined],
  [['--compressed', '-H', 'Accept-Encoding: br'],  'GET',   undefined,   [any, ['Accept-Encoding', 'br']],                          undefined],
  [['curl', 'http://localhost/', '--compressed'],  'GET',   'http://localhost/', [any, ['Accept-Encoding', 'deflate, gzip, br']],   undefined],
]

for (const [words, method, url, headers, body] of requests) {
  void t.test(`curl ${words.join(' ')}`, async (t) => {
    const read = await readCurlRequest(words)
    t.strictSame([read.method, read.url], [method, url])
    t.strictSame(read.headers, headers)
    t.equal(read.body && Buffer.from(read.body).toString(), body)
  })
}

// oxfmt-ignore
const mistakes: readonly [words: readonly string[], message: RegExp][] = [
  [['-X'],                        /--request requires a value/],
  [['-X', 'A B'],                 /-X: expected a method/],
  [['-Z'],                        /curl's -Z is not supported here: use -X, -H/],
  [['--upload-file', 'x'],        /--upload-file is not supported/],
  [['--constructor'],             /--constructor is not supported/],
  [['-H', 'no colon'],            /-H: expected "Name: value", got "no colon"/],
  [['-H', 'A: b\r\nC: d'],        /-H: expected/],
  [['-d', '@/no/such/file'],      /no such file/],
  [['/a', '/b'],                  /Expected one URL or path, got \/a and \/b/],
]

for (const [words, message] of mistakes) {
  void t.test(`curl ${JSON.stringify(words)} is refused`, async (t) => {
    await t.rejects(readCurlRequest(words), { kind: 'usage', message })
  })
}
