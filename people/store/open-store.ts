import { createBoth, keyStore, loginStore } from './credential-stores.js'
import { openDatabase } from './database.js'
import { explainFailure } from './failures.js'
import { messageStore, peopleStore } from './people-store.js'
import { seed } from './seed.js'
import type { Store, StoreOptions } from './store.js'
import { migrate } from './tables.js'

/** Opens the database and migrates its tables. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = openDatabase(options)
  const { backend } = database
  try {
    await database.alone((one) => migrate(one, backend.name))
  } catch (failure) {
    await database.close()
    throw explainFailure(failure, backend)
  }
  return {
    people: peopleStore(database),
    messages: messageStore(database),
    keys: keyStore(database),
    logins: loginStore(database),
    createBoth: (key, login) => createBoth(database, key, login),
    get isAway() {
      return database.isAway
    },
    check: () => database.check(),
    seed: () => seed(database),
    close: () => database.close(),
  }
}
