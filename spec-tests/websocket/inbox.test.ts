import t from 'tap'
import { ByteBudget } from '../../src/base/byte-budget.js'
import { Inbox } from '../../src/websocket/message-reader.js'

function createInbox(maxBytes: number, budget: ByteBudget): Inbox {
  const budgets = { pending: budget, forTurn: new ByteBudget(10_000, 100) }
  return new Inbox(() => undefined, maxBytes, budgets)
}

const ascii = 'a'.repeat(400)
const latin1 = 'é'.repeat(400)
const wide = '€'.repeat(400)

/** What is added to an inbox of 1,000 bytes, where each message takes 64 beside its text, and whether it fits. */
// oxfmt-ignore
const rows: readonly (readonly [name: string, texts: readonly string[], fits: readonly boolean[]])[] = [
  ['ASCII is kept in one byte for each character',  [ascii, ascii, ascii], [true, true, false]],
  ['so is Latin-1',                                 [latin1, latin1, latin1], [true, true, false]],
  ['other texts take two',                          [wide, ascii], [true, false]],
  ['one message always fits',                       [wide.repeat(3)], [true]],
]

for (const [name, texts, fits] of rows) {
  void t.test(name, async (t) => {
    const inbox = createInbox(1000, new ByteBudget(10_000, 100))
    const added = texts.map((text) => inbox.add(text, true))
    t.same(added, fits)
  })
}

void t.test('those that wait for a turn only are not limited, and limit no others', async (t) => {
  const inbox = createInbox(1000, new ByteBudget(10_000, 100))
  for (let at = 0; at < 5; at += 1) t.ok(inbox.add(ascii, false))
  for (const fits of [true, true, false]) t.equal(inbox.add(ascii, true), fits)
  for (let at = 0; at < 8; at += 1) inbox.take()
  t.ok(inbox.size === 0)
  t.ok(inbox.add(ascii, true))
  t.ok(inbox.add(ascii, true), 'what was read does not count')
})

void t.test('all inboxes share a budget', async (t) => {
  const budget = new ByteBudget(1000, 100)
  const [first, second] = [createInbox(1000, budget), createInbox(1000, budget)]
  t.ok(first.hold(600), 'the start of a message')
  t.notOk(second.add(ascii, true), 'a whole one')
  second.clear()
  t.ok(first.hold(500))
  t.ok(second.add(ascii, true), 'when there is room')
  t.notOk(first.hold(600))
  t.equal(second.take(), ascii)
  t.ok(first.hold(600), 'and when a message was read')
  first.hold(0)
  t.ok(second.hold(1000), 'and when one is complete')
})
