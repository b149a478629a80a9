import t from 'tap'
import { Cancellation } from '../../../src/graphql/execute/cancellation.js'

void t.test('it fires once, in order, and not for removed listeners', async (t) => {
  const heard: string[] = []
  const cancellation = new Cancellation()
  const left = () => heard.push('left')
  cancellation.addEventListener('abort', () => heard.push('first'))
  cancellation.addEventListener('abort', left)
  cancellation.addEventListener('abort', () => heard.push('second'))
  cancellation.removeEventListener('abort', left)
  cancellation.removeEventListener('abort', left)
  cancellation.throwIfAborted()
  cancellation.cancel('why')
  cancellation.cancel('again')
  t.strictSame(heard, ['first', 'second'])
  t.equal(cancellation.reason, 'why')
  t.throws(() => cancellation.throwIfAborted())
})

void t.test('the real signal agrees, whenever it is read', async (t) => {
  const early = new Cancellation()
  const { signal } = early
  t.notOk(signal.aborted)
  early.cancel(new Error('why'))
  t.ok(signal.aborted)
  t.equal(early.signal, signal)
  const late = new Cancellation()
  late.cancel(new Error('why'))
  t.ok(late.signal.aborted)
  t.match(late.signal.reason, { message: 'why' })
})
