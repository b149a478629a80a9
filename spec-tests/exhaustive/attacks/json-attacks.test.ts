import { bodyAttacks, runAttacks, type AttackRow } from './run-attacks.js'

/** A body around a value of the variable of `measure`. */
const measuring = (value: string, type = 'Input'): string =>
  `{"query":"query ($v: ${type}) { measure(input: $v) }","variables":{"v":${value}}}`

const right = '{"query":"{ hello }"'

// oxfmt-ignore
const bodies: readonly AttackRow<string | Uint8Array>[] = [
  ['lists 1,000,000 deep that never close',      '['.repeat(1_000_000),                                                    400, 'INVALID_JSON'],
  ['objects 100,000 deep',                       `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,                      400, 'JSON_TOO_DEEP'],
  ['brackets in strings, which nest nothing',    `${right},"extensions":{"a":"${'[{'.repeat(90_000)}"}}`,                  200],
  ['quotes behind backslashes',                  `${right},"extensions":{"a":"${'\\\\\\"'.repeat(90_000)}"}}`,             200],
  ['nothing but backslashes',                    `{"query":"${'\\'.repeat(500_000)}"}`,                                    [400, 413]],
  ['nothing but backslashes and brackets',       `"${'\\'.repeat(500_001)}${'['.repeat(500_000)}`,                         400],
  ['quotes that never pair',                     `{"${'"['.repeat(400_000)}`,                                              400],
  ['a number of 1,000,000 decimals',             `${right},"extensions":{"a":0.${'1'.repeat(1_000_000)}}}`,                200],
  ['an infinite exponent',                       measuring('{"number":1e999999999}'),                                      422, 'BAD_USER_INPUT'],
  ['a huge integer',                             measuring(`{"number":${'9'.repeat(300)}}`),                               422, 'BAD_USER_INPUT'],
  ['minus zero',                                 measuring('{"number":-0}'),                                               200],
  ['a fraction for an integer',                  measuring('{"number":1.0000000000000001}'),                               200],
  ['duplicate keys, of which the last counts',   `{"query":"{ nothing }",${right.slice(1)}}`,                              200],
  ['100,000 duplicate keys',                     `{${'"query":1,'.repeat(100_000)}${right.slice(1)}}`,                     200],
  ['90,000 keys',                                `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join()},${right.slice(1)}}`, 200],
  ['keys that are indexes',                      `{${Array.from({ length: 60_000 }, (_, at) => `"${at * 65_537}":1`).join()},${right.slice(1)}}`, 200],
  ['constructor and prototype',                  `${right},"constructor":{"prototype":{"query":1}}}`,                      200],
  ['__proto__ among the variables',              `${right},"variables":{"__proto__":{"toString":1}}}`,                     200],
  ['__proto__ as the only variable', '{"query":"query ($toString: String) { echo(text: $toString) }","variables":{"__proto__":{"toString":"x"}}}', 200],
  ['a variable named after a method of objects', '{"query":"query ($constructor: String!) { echo(text: $constructor) }"}', 422, 'BAD_USER_INPUT'],
  ['__proto__ in an input object',               measuring('{"__proto__":{"number":1}}'),                                  422, 'BAD_USER_INPUT'],
  ['hasOwnProperty as an input field',           measuring('{"hasOwnProperty":1}'),                                        422, 'BAD_USER_INPUT'],
  ['toJSON in extensions',                       `${right},"extensions":{"toJSON":"x","then":{}}}`,                        200],
  ['a lone surrogate in the document',           '{"query":"{ echo(text: \\"\\ud800\\") }"}',                              [200, 400]],
  ['a lone surrogate as a name',                 '{"query":"{ \\udfff }"}',                                                400, 'GRAPHQL_PARSE_FAILED'],
  ['a lone surrogate in a variable',             '{"query":"query ($t: String) { echo(text: $t) }","variables":{"t":"\\ud83d"}}', 200],
  ['surrogates in the wrong order',              '{"query":"query ($t: String) { echo(text: $t) }","variables":{"t":"\\udc00\\ud800"}}', 200],
  ['a lone surrogate as the name of the operation', `${right},"operationName":"\\ud800"}`,                                 422],
  ['NUL in a string, escaped',                   '{"query":"query ($t: String) { echo(text: $t) }","variables":{"t":"\\u0000"}}', 200],
  ['NUL in the document',                        '{"query":"{ hello \\u0000 }"}',                                          400, 'GRAPHQL_PARSE_FAILED'],
  ['nothing but NUL',                            '\0'.repeat(100_000),                                                     400, 'INVALID_JSON'],
  ['a list of requests',                         `[${Array.from({ length: 40_000 }, () => `${right}}`).join()}]`,          422, 'BATCHING_NOT_SUPPORTED'],
  ['an operation name of 1 MB',                  `${right},"operationName":"${'x'.repeat(1_000_000)}"}`,                   422, 'OPERATION_RESOLUTION_FAILURE'],
  ['a byte order mark',                          `\ufeff${right}}`,                                                        200],
  ['two byte order marks',                       `\ufeff\ufeff${right}}`,                                                  400, 'INVALID_JSON'],
  ['UTF-16, little-endian',                      Buffer.from(`\ufeff${right}}`, 'utf16le'),                                400, 'INVALID_UTF_8'],
  ['an overlong slash',                          Buffer.from(`${right},"extensions":{"a":"\xc0\xaf"}}`, 'latin1'),         400, 'INVALID_UTF_8'],
  ['1 MB of continuation bytes',                 Buffer.alloc(1_000_000, 0x80),                                            400, 'INVALID_UTF_8'],
  ['an enum value of 1 MB',                      measuring(`{"case":"${'U'.repeat(1_000_000)}"}`),                         422, 'BAD_USER_INPUT'],
  ['a string of 1 MB for an integer',            measuring(`{"number":"${'1'.repeat(1_000_000)}"}`),                       422, 'BAD_USER_INPUT'],
  ['300,000 objects for an integer',             measuring(`{"number":[${Array(300_000).fill('{}').join()}]}`),            422, 'BAD_USER_INPUT'],
  ['500,000 numbers in a list',                  measuring(`{"list":[${Array(500_000).fill(1).join()}]}`),                 200],
  ['250,000 wrong numbers in a list',            measuring(`{"list":[${Array(250_000).fill('""').join()}]}`),              422, 'BAD_USER_INPUT'],
  ['a number where four lists are wanted',       measuring('{"lists":1}'),                                                 200],
  ['input objects 120 deep',                     measuring(`${'{"input":'.repeat(120)}{}${'}'.repeat(120)}`),              200],
  ['90,000 unknown input fields',                measuring(`{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":1`).join()}}`), 422, 'DOCUMENT_LIMIT_EXCEEDED'],
]

runAttacks('a server bears JSON of every kind', bodyAttacks(bodies), { rounds: 2 })
