import type { Test } from 'tap'
import type { OpenStore } from './on-each-store.js'
import { serveRoutes, type Send } from './serve-routes.js'

const home = { street: '1 Square', city: 'London', country: 'UK' }

/** All that is known of Ada. */
export const ada = { name: 'Ada', age: 36, email: 'ada@example.org', address: home }

/** Serves the routes over a store in which Ada is alone. */
export async function withAda(t: Test, open: OpenStore): Promise<{ send: Send; id: string }> {
  const { store } = await open()
  const { id } = await store.people.create(ada)
  return { send: await serveRoutes(t, store), id }
}
