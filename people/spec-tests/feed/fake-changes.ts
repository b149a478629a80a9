import { StoreUnavailable } from '../../store/store.js'
import type { Change, ChangeStore } from '../../store/changes.js'

/** A table of changes in memory, which can be away. */
export class FakeChanges implements ChangeStore {
  isAway = false
  #table: Change[] = []
  #position = 0
  readonly #listeners: (() => void)[] = []

  /** Commits without a word, as another process does. */
  commitSilently(personId: string, kind: Change['kind'] = 'CHANGED'): void {
    const position = (this.#position += 1)
    const known = { id: personId, name: 'A', age: null, email: null, version: position }
    const sent = { id: String(position), to: personId, text: 'T', sentAt: '2026-08-01' }
    const person = ['ADDED', 'CHANGED'].includes(kind) ? { ...known, address: null } : null
    this.#table.push({ position, kind, personId, body: kind === 'MESSAGE' ? sent : person })
  }

  /** Commits a change: of a person, or a message to one. */
  commit(personId: string, kind?: Change['kind']): void {
    this.commitSilently(personId, kind)
    for (const listener of this.#listeners) listener()
  }

  /** Deletes all up to a position. */
  forget(last: number): void {
    this.#table = this.#table.filter(({ position }) => position > last)
  }

  async last(): Promise<number> {
    if (this.isAway) throw new StoreUnavailable()
    return this.#position
  }

  /** How many reads of a topic there were, and how many changes they have read. */
  readonly reads = { pages: 0, changes: 0 }

  async after(from: number, limit: number, topic?: string): Promise<readonly Change[]> {
    if (this.isAway) throw new StoreUnavailable()
    const later = this.#table.filter(({ position }) => position > from)
    if (topic === undefined) return later.slice(0, limit)
    const [name, id] = topic.split(':')
    const found = later.filter(
      ({ position, kind, personId }) =>
        position === from + 1 ||
        ((kind === 'MESSAGE') === (name === 'messages') && [undefined, personId].includes(id)),
    )
    const page = found.slice(0, limit)
    this.reads.pages += 1
    this.reads.changes += page.length
    return page
  }

  prune = async (): Promise<void> => {}

  listen(listener: () => void): void {
    this.#listeners.push(listener)
  }
}
