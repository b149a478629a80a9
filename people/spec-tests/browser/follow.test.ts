import t from 'tap'
import { createSplitter } from '../../browser/follow.js'

type Fields = { readonly [name: string]: string }

// oxfmt-ignore
const rows: readonly (readonly [title: string, pieces: readonly string[], events: readonly Fields[]])[] = [
  ['an event',                       ['id: 7\ndata: {}\n\n'],         [{ id: '7', data: '{}' }]],
  ['a named event',                  ['event: problem\ndata: x\n\n'], [{ event: 'problem', data: 'x' }]],
  ['several events',                 ['data: 1\n\ndata: 2\n\n'],      [{ data: '1' }, { data: '2' }]],
  ['one space is removed',           ['data:a\n\ndata:  b\n\n'],      [{ data: 'a' }, { data: ' b' }]],
  ['a comment',                      [':\n\n'],                       [{ '': '' }]],
  ['an id without data',             ['id: 8\n\n'],                   [{ id: '8' }]],
  ['an event without its end',       ['data: x\n'],                   []],
  ['an end without data',            ['event: complete\ndata:\n\n'],  [{ event: 'complete', data: '' }]],
  ['cut anywhere',                   ['da', 'ta: ', 'x', '\n', '\n'], [{ data: 'x' }]],
  ['a colon in the data',            ['data: {"a":1}\n\n'],           [{ data: '{"a":1}' }]],
  ['the pause before the next try',  ['retry: 1500\n\n'],             [{ retry: '1500' }]],
]

t.test('events are read as the service writes them', async (t) => {
  for (const [title, pieces, events] of rows) {
    const split = createSplitter()
    t.strictSame(pieces.flatMap(split), events, title)
  }
})
