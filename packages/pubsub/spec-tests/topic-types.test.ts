import { EventEmitter } from 'node:events'
import t from 'tap'
import { createPubSub, fromEvent, type Channel } from '@graphwire/pubsub'

interface PersonChange {
  readonly id: string
}

interface Message {
  readonly text: string
}

interface Topics {
  'person.changed': PersonChange
  [topic: `message:${string}`]: Message
}

/** Compiles only where the value has exactly this type. */
function is<Expected>() {
  return <Found>(_value: Found & (Same<Found, Expected> extends true ? unknown : never)): void => {}
}
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

void t.test('topics have types, with and without ids', async (t) => {
  const pubsub = createPubSub<Topics>()
  const id = String(7)
  const changes = pubsub.subscribe('person.changed', {
    filter(event) {
      is<PersonChange>()(event)
      return true
    },
  })
  const messages = pubsub.subscribe(`message:${id}`)
  is<Channel<PersonChange>>()(changes)
  is<Channel<Message>>()(messages)
  await pubsub.publish('person.changed', { id })
  await pubsub.publish(`message:${id}`, { text: 'hi' })
  await pubsub.publish('message:7', { text: 'again' })
  const { done, value } = await changes.next()
  if (done !== true) is<PersonChange>()(value)
  for await (const event of messages) {
    is<Message>()(event)
    if (event.text === 'again') break
  }
  const polled = pubsub.subscribe('person.changed').poll()
  if (polled !== undefined && polled.done !== true) is<PersonChange>()(polled.value)
  t.strictSame(value, { id })
})

void t.test('what is of another type does not compile', async (t) => {
  const pubsub = createPubSub<Topics>()
  // @ts-expect-error: there is no such topic
  await pubsub.publish('person.chnged', { id: '1' })
  // @ts-expect-error: a message has a text
  await pubsub.publish('message:7', { id: '1' })
  // @ts-expect-error: a person has an id
  await pubsub.publish('person.changed', { text: '' })
  // @ts-expect-error: there is no such topic
  pubsub.subscribe('message')
  // @ts-expect-error: a filter does not wait
  pubsub.subscribe('person.changed', { filter: async () => true })
  // @ts-expect-error: missed events are of the same type
  pubsub.subscribe('person.changed', { after: () => [{ text: '' }] })
  t.pass()
})

void t.test('without a type argument, any topic has events of an unknown type', async (t) => {
  const pubsub = createPubSub()
  await pubsub.publish('anything', 1)
  is<Channel<unknown>>()(pubsub.subscribe('anything'))
  is<Channel<PersonChange>>()(fromEvent<PersonChange>(new EventEmitter(), 'changed'))
  const typed = new EventEmitter<{ changed: [PersonChange] }>()
  is<Channel<PersonChange>>()(fromEvent<PersonChange>(typed, 'changed'))
  is<Channel<unknown>>()(fromEvent(new EventTarget(), 'changed'))
  t.pass()
})
