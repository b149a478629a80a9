import type { OpenStore } from './on-each-store.js'
import { serveRoutes } from './serve-routes.js'

const home = { street: '1 Square', city: 'London', country: 'UK' }

/** All that is known of Ada. */
export const ada = { name: 'Ada', age: 36, email: 'ada@example.org', address: home }

/** Serves the schema and the routes over a store in which Ada is alone. */
export async function withAda(open: OpenStore) {
  const { store, ask } = await open()
  const { id } = await store.people.create(ada)
  return { store, ask, send: serveRoutes(store), id }
}
