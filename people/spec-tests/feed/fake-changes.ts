import { StoreUnavailable } from '../../store/store.js'
import type { Change, ChangeStore } from '../../store/changes.js'

/** A table of changes in memory, which counts how often it is read and can be away. */
export interface FakeChanges extends ChangeStore {
  /** Commits a change: of a person, or a message to one. */
  commit(personId: string, kind?: Change['kind']): void
  /** Commits without a word, as another process does. */
  commitSilently(personId: string, kind?: Change['kind']): void
  /** Deletes all up to a position. */
  forget(position: number): void
  reads: number
  isAway: boolean
}

export function fakeChanges(): FakeChanges {
  let table: Change[] = []
  let position = 0
  const listeners: (() => void)[] = []
  const check = (): void => {
    fake.reads += 1
    if (fake.isAway) throw new StoreUnavailable()
  }
  const fake: FakeChanges = {
    reads: 0,
    isAway: false,
    commitSilently(personId, kind = 'CHANGED') {
      position += 1
      const known = { id: personId, name: 'A', age: null, email: null, version: position }
      const sent = { id: String(position), to: personId, text: 'T', sentAt: '2026-08-01' }
      table.push({
        position,
        kind,
        personId,
        person: ['ADDED', 'CHANGED'].includes(kind) ? { ...known, address: null } : null,
        message: kind === 'MESSAGE' ? sent : null,
      })
    },
    commit(personId, kind) {
      fake.commitSilently(personId, kind)
      for (const listener of listeners) listener()
    },
    forget(last) {
      table = table.filter((change) => change.position > last)
    },
    async last() {
      check()
      return position
    },
    async after(from, limit) {
      check()
      return table.filter((change) => change.position > from).slice(0, limit)
    },
    prune: async () => {},
    listen: (listener) => void listeners.push(listener),
  }
  return fake
}
