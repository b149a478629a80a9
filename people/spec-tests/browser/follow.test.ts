import t from 'tap'
import { EventStreamReader } from '../../browser/follow.js'

type Row = readonly [
  title: string,
  pieces: readonly string[],
  events: readonly (readonly [type: string, data: string, lastEventId: string])[],
  lastEventId: string,
]

// oxfmt-ignore
const rows: readonly Row[] = [
  ['an event',                            ['id: 7\ndata: {}\n\n'],              [['message', '{}', '7']],                      '7'],
  ['a named event',                       ['event: problem\ndata: x\n\n'],      [['problem', 'x', '5']],                       '5'],
  ['a name is that of one event',         ['event: a\ndata: 1\n\ndata: 2\n\n'], [['a', '1', '5'], ['message', '2', '5']],      '5'],
  ['several lines of data',               ['data: a\ndata\ndata: b\n\n'],       [['message', 'a\n\nb', '5']],                  '5'],
  ['one space is removed',                ['data:a\ndata:  b\n\n'],             [['message', 'a\n b', '5']],                   '5'],
  ['a comment',                           [':\n\n: id: 9\n\n'],                 [],                                            '5'],
  ['an id without data is no event',      ['id: 8\n\n'],                        [],                                            '8'],
  ['an empty id',                         ['id\ndata: x\n\n'],                  [['message', 'x', '']],                        ''],
  ['an id with NUL is ignored',           ['id: 8\0\ndata: x\n\n'],             [['message', 'x', '5']],                       '5'],
  ['an event without its end',            ['data: x\n'],                        [],                                            '5'],
  ['no event without data, but its name', ['event: complete\ndata:\n\ndata: x\n\n'], [['message', 'x', '5']],                  '5'],
  ['cut anywhere',                        ['da', 'ta: ', 'x', '\n', '\n'],      [['message', 'x', '5']],                       '5'],
  ['CRLF',                                ['id: 8\r\ndata: x\r\n\r\n'],         [['message', 'x', '8']],                       '8'],
  ['CRLF cut in the middle',              ['data: x\r', '\n\r', '\n'],          [['message', 'x', '5']],                       '5'],
  ['CR',                                  ['data: x\r\rdata: y\r\r\n'],         [['message', 'x', '5'], ['message', 'y', '5']], '5'],
  ['unknown fields',                      ['size: 1\ndata: x\n\n'],             [['message', 'x', '5']],                       '5'],
  ['a colon in the data',                 ['data: {"a":1}\n\n'],                [['message', '{"a":1}', '5']],                 '5'],
]

t.test('what an EventSource gives', async (t) => {
  for (const [title, pieces, events, lastEventId] of rows) {
    const reader = new EventStreamReader('5')
    const seen = pieces.flatMap((piece) => reader.push(piece))
    const short = seen.map((event) => [event.type, event.data, event.lastEventId])
    t.same([short, reader.lastEventId], [events, lastEventId], title)
  }
})

t.test('the pause before the next connection', async (t) => {
  for (const [text, retry] of [
    ['retry: 1500\n', 1500],
    ['retry: soon\n', undefined],
    ['retry\n', undefined],
  ] as const) {
    const reader = new EventStreamReader('')
    reader.push(text)
    t.equal(reader.retry, retry, text)
  }
})
