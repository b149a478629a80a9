import { StoreUnavailable } from '../../store/store.js'
import type { Change, ChangeHead, ChangeStore } from '../../store/changes.js'

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

  async after(from: number, limit: number): Promise<readonly Change[]> {
    if (this.isAway) throw new StoreUnavailable()
    return this.#table.filter(({ position }) => position > from).slice(0, limit)
  }

  /** How many reads of heads there were, and how many bodies were read by their positions. */
  readonly reads = { heads: 0, bodies: 0 }

  async headsAfter(from: number, limit: number): Promise<readonly ChangeHead[]> {
    this.reads.heads += 1
    return this.after(from, limit)
  }

  async at(positions: readonly number[]): Promise<readonly Change[]> {
    if (this.isAway) throw new StoreUnavailable()
    this.reads.bodies += positions.length
    return this.#table.filter(({ position }) => positions.includes(position))
  }

  prune = async (): Promise<void> => {}

  listen(listener: () => void): void {
    this.#listeners.push(listener)
  }
}
