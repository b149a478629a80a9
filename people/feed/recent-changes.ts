import { resumable } from 'graphwire'
import type { Change } from '../store/store.js'

/** A change as subscribers get it, with its position as the id from which they can resume. */
export type FeedEvent = ReturnType<typeof resumable>

/** A change, who gets it, and as what: all get the same object, so that the engine executes it once for all. */
export interface Entry {
  readonly change: Change
  readonly topics: readonly string[]
  readonly event: FeedEvent
}

/** The names of what can be followed. */
export const topics = {
  people: 'people',
  person: (id: string): string => `person:${id}`,
  messagesTo: (id: string): string => `messages:${id}`,
} as const

/** How many changes are kept in memory at most; those who are further behind read the table. */
const most = 1_000

/** The last changes in memory, without a gap between them. */
export class RecentChanges {
  #entries: Entry[] = []
  #last: number

  constructor(last: number) {
    this.#last = last
  }

  /** The position of the last change that is known. */
  get last(): number {
    return this.#last
  }

  /** The position before the first change in memory. */
  get start(): number {
    return this.#last - this.#entries.length
  }

  /** Adds the next change. One that is not the next leaves a gap, behind which memory starts anew. */
  add(change: Change): Entry {
    if (change.position !== this.#last + 1) this.#entries = []
    // The database has just deleted what was known of the person; so does this.
    if (change.kind === 'REMOVED') this.#entries = this.#entries.map((one) => without(one, change))
    const entry = toEntry(change)
    this.#entries.push(entry)
    this.#last = change.position
    // Not one at a time, which would move the whole list for each.
    if (this.#entries.length >= 2 * most) this.#entries = this.#entries.slice(-most)
    return entry
  }

  /** The first change of a topic after a position, which must not be before the start. */
  find(after: number, topic: string): Entry | undefined {
    for (let at = after - this.start; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at]
      if (entry?.topics.includes(topic)) return entry
    }
    return undefined
  }
}

export function toEntry(change: Change): Entry {
  const { position, kind, personId, person, message } = change
  const id = String(position)
  if (kind === 'MESSAGE') {
    // Messages to a person who has been removed cannot be read.
    const readers = message === null ? [] : [topics.messagesTo(personId)]
    return { change, topics: readers, event: resumable({ messageReceived: message }, id) }
  }
  const personChanged = { kind, id: personId, person }
  return {
    change,
    topics: [topics.people, topics.person(personId)],
    event: resumable({ personChanged }, id),
  }
}

function without(entry: Entry, { personId }: Change): Entry {
  const { change } = entry
  return change.personId === personId ? toEntry({ ...change, person: null, message: null }) : entry
}
