import {
  boundary,
  end,
  filesFor,
  parameters,
  partOf,
  uploadLines,
} from '../../../packages/uploads/spec-tests/multipart.js'
import { chunkOf, postBytes } from '../hosts/raw-client.js'
import { checkResponse } from './check-response.js'
import { bytesAttacks, runAttacks, type Attack, type AttackRow } from './run-attacks.js'

const MB = 1_000_000
const announce = (length: number): string => `${uploadLines}Content-Length: ${length}\r\n\r\n`

const query = (field: string): string => `mutation ($files: [Upload]) { ${field}(files: $files) }`
const before = (field: string, count = 1): string =>
  filesFor(query(field), count).map(partOf).join('')
const file = (name: string, content: string): string =>
  partOf({ name, filename: `${name}.bin`, content })
const one = { query: query('ignore'), variables: { files: [null] } }
const mapped = (map: unknown): string => parameters(one, map).map(partOf).join('')
const many = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** A body, the status of its answer, and the code of a refusal. */
// oxfmt-ignore
const rows: readonly AttackRow[] = [
  ['a path to a prototype',                    mapped({ 0: ['variables.__proto__.polluted'] }) + end,                         422, 'UPLOAD_PATH'],
  ['a path of a million names',                mapped({ 0: [`variables${'.x'.repeat(400_000)}`] }) + end,                     422, 'UPLOAD_PATH'],
  ['a hundred thousand paths',                 mapped({ 0: many(50_000, () => 'variables.files.0') }) + end,                  422, 'UPLOAD_PATH'],
  ['a map of a hundred thousand files',        mapped(Object.fromEntries(many(50_000, (at) => [at, []]))) + end,              413, 'TOO_MANY_FILES'],
  ['a map of lists 100,000 deep',              mapped(`{"0":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) + end,            400, 'JSON_TOO_DEEP'],
  ['ten thousand parts',                       before('ignore') + many(10_000, (at) => file(`x${at}`, '')).join('') + end,     [200, 413]],
  ['ten thousand parts instead of the map',    many(10_000, (at) => file(`x${at}`, '')).join('') + end,                        [400, 413]],
  ['files before the operations',              file('0', 'x'.repeat(MB)) + before('read') + end,                              400, 'UPLOAD_MALFORMED'],
  ['40 MB that the map does not name',         before('read') + file('other', 'x'.repeat(40 * MB)) + file('0', 'x') + end,    200],
  ['40 MB before the file that is read',       before('last', 2) + file('0', 'x'.repeat(39 * MB)) + file('1', 'x') + end,     200],
  ['a file that is too large',                 before('read') + file('0', 'x'.repeat(41 * MB)) + end,                         294],
  ['a head of a part of 500 kB',               before('read') + `--${boundary}\r\nContent-Disposition: form-data; name="0"\r\nX: ${'x'.repeat(500_000)}\r\n\r\ny\r\n${end}`, [200, 294, 400]],
  ['50,000 lines in the head of a part',       before('read') + `--${boundary}\r\n${'X: x\r\n'.repeat(50_000)}\r\ny\r\n${end}`, [200, 294, 400]],
  ['a name of 500 kB',                         before('read') + partOf({ name: '0'.repeat(500_000), content: 'x' }) + end,     [200, 294, 400]],
  ['a preamble of a megabyte',                 `${'x'.repeat(1_200_000)}\r\n` + before('read') + file('0', '') + end,                  413, 'UPLOAD_TOO_LARGE'],
  ['boundaries that are nearly complete',      before('read') + file('0', `\r\n--${boundary.slice(0, -1)}`.repeat(MB)) + end, 200],
  ['a megabyte of line ends',                  before('read') + file('0', '\r\n'.repeat(MB)) + end,                           200],
  ['a boundary within a line',                 before('read') + file('0', `x--${boundary}--x`) + end,                         200],
  ['parts behind the last boundary',           before('read') + file('0', 'x') + end + file('0', 'y') + end,                  200],
  ['a boundary without a line end',            `${before('read')}--${boundary}`,                                              [294, 400]],
  ['operations twice',                         before('read') + before('read') + file('0', 'x') + end,                        200],
]

const half = before('read') + file('0', 'x'.repeat(1000)).slice(0, -2)

/** Clients at once that send a part of a request, and wait for the answer or leave. */
function crowd(name: string, count: number, bytes: string, leaves = false): Attack {
  return {
    name,
    overloads: true,
    async run(_, { connectMany }) {
      const clients = await connectMany(count)
      for (const client of clients) client.write(bytes)
      if (!leaves) await Promise.all(clients.map((client) => client.next()))
    },
  }
}

// oxfmt-ignore
const slow = [
  crowd('300 clients that stop within a file', 300, announce(100_000) + half),
  crowd('300 clients that stop within the operations', 300, announce(100_000) + half.slice(0, 100)),
  crowd('300 clients that leave within a file', 300, announce(100_000) + half, true),
  crowd('90 clients of resolvers that do not read', 90, announce(30 * MB) + before('stall') + file('0', 'x'.repeat(2 * MB))),
  crowd('90 clients of resolvers that want another file', 90, announce(30 * MB) + before('last', 2) + file('0', 'x'.repeat(2 * MB))),
]

/** A body that has no end: the server says so, or closes the connection. */
function endless(name: string, start: string, piece: string, status: readonly number[]): Attack {
  return {
    name,
    async run(t, { connect }) {
      const client = await connect()
      client.write(
        `${uploadLines}Transfer-Encoding: chunked\r\n\r\n${start === '' ? '' : chunkOf(start)}`,
      )
      let isOver = false
      const response = client.next().finally(() => (isOver = true))
      const bytes = chunkOf(piece)
      while (!isOver && !client.socket.destroyed) {
        if (client.socket.write(bytes)) await new Promise((next) => setImmediate(next))
        else {
          await new Promise<void>((next) => {
            client.socket.once('drain', next).once('close', next)
            void response.then(() => next())
          })
        }
      }
      checkResponse(t, await response, { status })
    },
  }
}

// oxfmt-ignore
const withoutEnd = [
  endless('a preamble without an end', '', 'x'.repeat(65_536), [413]),
  endless('operations without an end', before('read').slice(0, 200), ' '.repeat(65_536), [413]),
  endless('a head of a part without an end', `${before('read')}--${boundary}\r\nX: `, 'x'.repeat(65_536), [200, 294, 413]),
  endless('a file without an end', half, 'x'.repeat(65_536), [200, 294]),
  endless('a file without an end that is not read', before('ignore') + half.slice(before('read').length), 'x'.repeat(65_536), [200]),
  endless('an epilogue without an end', before('read') + file('0', 'x') + end, 'x'.repeat(65_536), [200, 294, 413]),
  endless('a file in single bytes', half, 'x', [200, 294]),
]

const attacks = [
  ...bytesAttacks(
    rows.map(([name, body, ...expected]) => [name, postBytes(body, '', uploadLines), ...expected]),
  ),
  ...slow,
  ...withoutEnd,
]

for (const graphql of ['17', '16'] as const) {
  runAttacks(`uploads, with graphql ${graphql}`, attacks, {
    env: { ATTACKED_UPLOADS: '1' },
    graphql,
    rounds: graphql === '17' ? 2 : 1,
  })
}
