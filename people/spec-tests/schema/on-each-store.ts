import t, { type Test } from 'tap'
import type { Store } from '../../store/open-store.js'
import { onEachDatabase } from '../store/databases.js'
import { serveSchema } from './serve-schema.js'

/** A store, and the statements that it has executed. */
interface OpenedStore {
  readonly store: Store
  readonly statements: string[]
  /** A client of the schema over it. */
  readonly ask: ReturnType<typeof serveSchema>
}

/** Opens the store of a test, empty or seeded. */
export type OpenStore = (options?: { readonly seeded?: boolean }) => Promise<OpenedStore>

/** Runs a test on every kind of database, each time on an empty one. */
export function onEachStore(name: string, body: (t: Test, open: OpenStore) => Promise<void>): void {
  void t.test(name, (t) =>
    onEachDatabase(t, 'on a store', (t, open) =>
      body(t, async ({ seeded = false } = {}) => {
        const statements: string[] = []
        const store = await open({ onStatement: (sql) => statements.push(sql) })
        if (seeded) await store.seed()
        return { store, statements, ask: serveSchema(store) }
      }),
    ),
  )
}
