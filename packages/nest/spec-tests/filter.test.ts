import type { Server } from 'node:http'
import { createPubSub } from '@graphwire/pubsub'
import { GraphwireDriver, type GraphwireDriverConfig } from '@graphwire/nest'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Args, GraphQLModule, Query, Resolver, Subscription } from '@nestjs/graphql'
import { resumable, success } from 'graphwire'
import t from 'tap'
import { listen } from '../../../spec-tests/hosts/start-node.js'
import { http1Streams } from '../../../spec-tests/hosts/streams/stream-client.js'

interface Note {
  readonly to: string
  readonly text: string
}

const pubsub = createPubSub<{ note: Note }>()
let open = 0

@Resolver()
class NoteResolver {
  readonly word = 'secret'

  @Query(() => String)
  hello(): string {
    return 'Hello'
  }

  @Subscription(() => String, {
    filter(
      this: NoteResolver,
      note: Note,
      { to }: { to: string },
      { principal }: { principal: string },
    ) {
      if (note.text === 'bad') throw new Error('hunter2')
      return Promise.resolve(note.to === to && principal === 'Ada' && note.text !== this.word)
    },
    resolve: ({ text }: Note) => text.toUpperCase(),
  })
  note(@Args('to', { type: () => String }) _to: string): AsyncIterable<Note> {
    open += 1
    return pubsub.subscribe('note', { onEnd: () => (open -= 1) })
  }
}

const bugs: unknown[] = []

@Module({
  imports: [
    GraphQLModule.forRoot<GraphwireDriverConfig>({
      driver: GraphwireDriver,
      autoSchemaFile: true,
      handler: { authenticate: () => success('Ada'), onBug: (bug) => bugs.push(bug) },
    }),
  ],
  providers: [NoteResolver],
})
class NotesModule {}

void t.test('a filter decides which events a subscriber gets', async (t) => {
  const app = await NestFactory.create(NotesModule, { bodyParser: false, logger: false })
  await app.init()
  t.teardown(() => app.close())
  const follow = http1Streams(`http://127.0.0.1:${await listen(app.getHttpServer() as Server)}`)
  const subscribe = async (to: string): Promise<string> => {
    const stream = await follow({ query: `subscription { note(to: "${to}") }` })
    return (await stream.whole()).body
  }
  const streams = [subscribe('ada'), subscribe('bob')]
  while (open < 2) await new Promise((resolve) => setImmediate(resolve))
  for (const [to, text] of [
    ['ada', 'one'],
    ['bob', 'two'],
    ['ada', 'secret'],
    ['ada', 'three'],
  ] as const) {
    await pubsub.publish('note', { to, text })
  }
  const numbered = resumable({ to: 'ada', text: 'four' }, '4') as object as Note
  await pubsub.publish('note', numbered)
  await pubsub.publish('note', resumable(undefined, '5') as object as Note)
  await pubsub.publish('note', { to: 'ada', text: 'bad' })
  const [ada = '', bob = ''] = await Promise.all(streams)
  t.strictSame(ada.match(/"note":"\w+"/g), ['"note":"ONE"', '"note":"THREE"', '"note":"FOUR"'])
  t.strictSame(ada.match(/^id: ?\d/gm), ['id: 4', 'id: 5'])
  t.strictSame(bob.match(/"note":"\w+"/g), ['"note":"TWO"'])
  // A filter that fails ends the stream: to go on would hide events.
  t.match(ada, 'Internal server error')
  t.notMatch(ada, 'hunter2')
  t.match(bugs, [{ message: 'hunter2' }, { message: 'hunter2' }])
  t.equal(open, 0)
})
