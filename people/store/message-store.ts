import { failure, success } from 'graphwire'
import { sql } from 'kysely'
import { transactChange } from './changes.js'
import type { Database } from './database.js'
import { toNumber } from './id.js'
import type { Message, MessageStore } from './store.js'

interface MessageRow {
  readonly id: number
  readonly to_id: number
  readonly text: string
  readonly sent_at: string
}

/** Messages to people, readable as long as the recipient exists. */
export function messageStore(database: Database): MessageStore {
  const { read, now, backend } = database
  return {
    send(to, text) {
      const sentAt = now().toISOString()
      return transactChange(database, async (run, record) => {
        // One statement looks for the person and writes. Who removes the person then clears this message, too.
        const [row] = await run(sql<{ readonly id: number }>`
          insert into messages (to_id, text, sent_at)
          select p.id, ${text}, ${sentAt} from persons p where p.id = ${toNumber(to)} ${backend.keepPersons}
          returning id
        `)
        if (row === undefined) return failure('absent')
        return success(await record('send', { id: String(row.id), to, text, sentAt }))
      })
    },
    async byId(id): Promise<Message | undefined> {
      const [row] = await read(sql<MessageRow>`
        select m.id, m.to_id, m.text, m.sent_at from messages m join persons p on p.id = m.to_id
        where m.id = ${toNumber(id)}
      `)
      if (row === undefined) return undefined
      return { id: String(row.id), to: String(row.to_id), text: row.text, sentAt: row.sent_at }
    },
  }
}
