import { inputSdl } from './mutations.js'

/** The schema of the service in the schema definition language, as clients read it. */
export const sdl = `
"""
People, their addresses and friends, and messages to them.

Errors have a code in their extensions: BAD_USER_INPUT for invalid values, NOT_FOUND for the id of a
person who does not exist, CONFLICT when ifVersion is not the version of the person, UNAUTHENTICATED
without a credential, FORBIDDEN without its scope, UNAVAILABLE while the database is unavailable. With
BAD_USER_INPUT and NOT_FOUND, the extensions also list errors: the path of each invalid value among the
arguments, and a message. All text must be well-formed Unicode without the character NUL (U+0000).
"""
schema {
  query: Query
  mutation: Mutation
  subscription: Subscription
}

"The fields that read."
type Query {
  "The person with the id; null if no person has it."
  person(
    "The id of the person."
    id: ID!
  ): Person

  "People in order of creation. Nullable, so that an error leaves the other fields intact."
  people(
    "The maximum number: 0 to 100. Default: 10."
    limit: Int
    "Starts after the person with this id; an id that no person has is an error with code BAD_USER_INPUT."
    after: ID
  ): [Person!]

  "The message with the id; null if there is none, or if its recipient has been deleted."
  message(
    "The id of the message."
    id: ID!
  ): Message
}

"A person."
type Person {
  "Never changes, and is never reused for another person."
  id: ID!

  "1 to 200 characters, not blank."
  name: String!

  "In years: 0 to 150. Null if unknown."
  age: Int

  "An email address; null if unknown."
  email: String

  "Friends in order of their creation. Friendship is mutual."
  friends(
    "The maximum number: 0 to 100. Default: 10."
    limit: Int
  ): [Person!]!

  "Where the person lives; null if unknown."
  address: Address

  "1 after creation; every write to name, age, email or address increments it. Friendships do not."
  version: Int!
}

"Where a person lives; at least one member is not null."
type Address {
  "Street and house number; null if unknown."
  street: String

  "The city or village; null if unknown."
  city: String

  "The country; null if unknown."
  country: String
}

"A message that was sent to a person."
type Message {
  "Never changes, and is never reused for another message."
  id: ID!

  "The person it was sent to."
  to: Person!

  "1 to 10,000 characters."
  text: String!

  "When it was sent: RFC 3339 in UTC, such as 2026-08-01T12:00:00.000Z."
  sentAt: String!
}

"""
Every field requires a credential with the scope write: without a credential it is an error with code
UNAUTHENTICATED, without the scope one with code FORBIDDEN. Fields run one after another, each in its
own transaction, and a field that fails does not undo the others.
"""
type Mutation {
  "Renames the person; null if no person has the id."
  renamePerson(
    "The id of the person."
    id: ID!
    "The new name: 1 to 200 characters, not blank."
    name: String!
  ): Person

  "Creates a person with a new id."
  createPerson(
    "The person to create."
    input: CreatePersonInput!
  ): Person

  "Changes the given members and keeps the others; null if no person has the id."
  updatePerson(
    "The id of the person."
    id: ID!
    "What to change."
    input: UpdatePersonInput!
    "Writes only if the person has this version; otherwise the field is an error with code CONFLICT."
    ifVersion: Int
  ): Person

  "Replaces name, age, email and address, and clears those not given; null if no person has the id."
  replacePerson(
    "The id of the person."
    id: ID!
    "The whole person."
    input: CreatePersonInput!
    "Writes only if the person has this version; otherwise the field is an error with code CONFLICT."
    ifVersion: Int
  ): Person

  """
  Deletes the person. Friendships with the person end, and messages to the person can no longer be
  read. Returns the deleted person, without friends; null if no person has the id.
  """
  deletePerson(
    "The id of the person."
    id: ID!
    "Deletes only if the person has this version; otherwise the field is an error with code CONFLICT."
    ifVersion: Int
  ): Person

  "Sends a message to a person; an error with code NOT_FOUND if no person has the id."
  sendMessage(
    "The id of the person to send to."
    to: ID!
    "1 to 10,000 characters."
    text: String!
  ): Message

  """
  Makes two people friends, unless they already are. Returns the person with the id, or null if there is
  none; an unknown friend is an error with code NOT_FOUND, and the same person twice one with code
  BAD_USER_INPUT.
  """
  befriend(
    "The id of the person."
    id: ID!
    "The id of the other person."
    friend: ID!
  ): Person

  """
  Ends the friendship of two people, if there is one. Returns the person with the id, or null if there is
  none; an unknown friend is an error with code NOT_FOUND, and the same person twice one with code
  BAD_USER_INPUT.
  """
  unfriend(
    "The id of the person."
    id: ID!
    "The id of the other person."
    friend: ID!
  ): Person
}

"""
The fields that stream. Every event has an id, and a client that connects again with the last one in
Last-Event-ID continues behind it, at any instance, for at least 1,000 changes or ten minutes. Later the
first event is an error with code POSITION_TOO_OLD, and new changes follow.
"""
type Subscription {
  "The changes of people, each once and in the order in which they were committed. Friendships are none."
  personChanged(
    "Only the changes of this person."
    id: ID
  ): PersonChange!

  "The messages that are sent to a person."
  messageReceived(
    "The id of the recipient."
    to: ID!
  ): Message!
}

"A committed write to a person."
type PersonChange {
  "What happened."
  kind: PersonChangeKind!

  "The id of the person."
  id: ID!

  "The person as the change left it; null once the person has been removed."
  person: Person
}

"The kinds of changes."
enum PersonChangeKind {
  "The person was created."
  ADDED

  "Name, age, email or address were written."
  CHANGED

  "The person was deleted."
  REMOVED
}
${inputSdl}`
