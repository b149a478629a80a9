import { failure, success } from 'graphwire'
import type { Database } from './database.js'
import { toNumber } from './id.js'
import type { Message, MessageStore } from './store.js'

/** Messages to people, readable as long as the recipient exists. */
export function messageStore({ read, write, now }: Database): MessageStore {
  return {
    async send(to, text) {
      const number = toNumber(to)
      if (number === undefined) return failure('absent')
      const sentAt = now().toISOString()
      // One statement looks for the person and writes.
      const row = await write((db) =>
        db
          .insertInto('messages')
          .columns(['to_id', 'text', 'sent_at'])
          .expression((build) =>
            build
              .selectFrom('persons')
              .select(['persons.id', build.val(text).as('text'), build.val(sentAt).as('sent_at')])
              .where('persons.id', '=', number),
          )
          .returning('id')
          .executeTakeFirst(),
      )
      return row === undefined
        ? failure('absent')
        : success({ id: String(row.id), to, text, sentAt })
    },
    async byId(id) {
      const number = toNumber(id)
      if (number === undefined) return undefined
      const row = await read((db) =>
        db
          .selectFrom('messages')
          .innerJoin('persons', 'persons.id', 'messages.to_id')
          .select(['messages.id', 'messages.to_id', 'messages.text', 'messages.sent_at'])
          .where('messages.id', '=', number)
          .executeTakeFirst(),
      )
      return row && toMessage(row)
    },
  }
}

function toMessage(row: {
  readonly id: number
  readonly to_id: number
  readonly text: string
  readonly sent_at: string
}): Message {
  return { id: String(row.id), to: String(row.to_id), text: row.text, sentAt: row.sent_at }
}
