import { failure, success } from 'graphwire'
import { sql } from 'kysely'
import { transactChange } from './changes.js'
import type { Database } from './database.js'
import { toNumber } from './id.js'
import type { Message } from './store.js'

/** Messages to people, readable as long as the recipient exists. */
export function messageStore(database: Database) {
  const { read, now, backend } = database
  return {
    send(to: string, text: string) {
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
    async byId(id: string): Promise<Message | undefined> {
      const [row] = await read(sql<Message>`
        select cast(m.id as text) as id, cast(m.to_id as text) as "to", m.text, m.sent_at as "sentAt"
        from messages m join persons p on p.id = m.to_id where m.id = ${toNumber(id)}
      `)
      return row
    },
  }
}

export type MessageStore = ReturnType<typeof messageStore>
