import type { Database } from './database.js'
import { changeFriendship, friendsOf } from './friendships.js'
import { addressesOf, byIds, page } from './read-people.js'
import { removePerson } from './remove-person.js'
import type { PeopleStore } from './store.js'
import { createPerson, replacePerson, updatePerson } from './write-person.js'

/** Persons, their addresses and friendships. */
export function peopleStore(database: Database): PeopleStore {
  return {
    page: (limit, after) => page(database, limit, after),
    byIds: (ids) => byIds(database, ids),
    addressesOf: (ids) => addressesOf(database, ids),
    friendsOf: (ids, limit) => friendsOf(database, ids, limit),
    create: (input) => createPerson(database, input),
    update: (id, patch, ifVersion) => updatePerson(database, id, patch, ifVersion),
    replace: (id, input, ifVersion) => replacePerson(database, id, input, ifVersion),
    remove: (id, ifVersion) => removePerson(database, id, ifVersion),
    befriend: (id, friend) => changeFriendship(database, 'begin', id, friend),
    unfriend: (id, friend) => changeFriendship(database, 'end', id, friend),
  }
}
