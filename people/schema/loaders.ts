import type { Address, Person } from '../store/store.js'

/** One batch of statements where many fields ask at once; each belongs to one request. */
export interface Loaders {
  person(id: string): Promise<Person | undefined>
  friends(id: string, limit: number): Promise<readonly Person[]>
  address(id: string): Promise<Address | undefined>
}
