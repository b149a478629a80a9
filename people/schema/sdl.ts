/** The schema of the service in the schema definition language, as clients read it. */
export const sdl = `
"""
Persons, where they live, who their friends are, and messages to them.

An error has a code in its extensions: BAD_USER_INPUT where values fail their checks, NOT_FOUND where
a value names nobody, CONFLICT where ifVersion is not the version of the person, UNAUTHENTICATED
without a credential, FORBIDDEN without its scope, UNAVAILABLE while the database is away. Of
BAD_USER_INPUT and NOT_FOUND the extensions have errors too: for each faulty value the path among the
arguments and a message. All text is well-formed Unicode without the character NUL (U+0000).
"""
schema {
  query: Query
  mutation: Mutation
}

"What can be read."
type Query {
  "The person with the id; null where there is none."
  person(
    "The id of the person."
    id: ID!
  ): Person

  "Persons in the order of their creation; null beside an error, so that other fields can stay."
  people(
    "How many at most: 0 to 100. Default: 10."
    limit: Int
    "Starts behind the person with this id; an id that nobody has is an error with code BAD_USER_INPUT."
    after: ID
  ): [Person!]

  "The message with the id; null where there is none, or where its receiver has been deleted."
  message(
    "The id of the message."
    id: ID!
  ): Message
}

"Somebody with a name."
type Person {
  "Never changes, and is never used again for another person."
  id: ID!

  "1 to 200 characters, not only blanks."
  name: String!

  "In years: 0 to 150. Null where it is not known."
  age: Int

  "An address for electronic mail; null where none is known."
  email: String

  "The friends in the order of their creation. Friendship is mutual."
  friends(
    "How many at most: 0 to 100. Default: 10."
    limit: Int
  ): [Person!]!

  "Where the person lives; null where nothing is known of it."
  address: Address

  "Counts the writes to name, age, email and address: 1 after creation. Friendships do not count."
  version: Int!
}

"Where somebody lives; at least one of its parts is known."
type Address {
  "Street and house number; null where they are not known."
  street: String

  "The city or village; null where it is not known."
  city: String

  "The country; null where it is not known."
  country: String
}

"A text that was sent to a person."
type Message {
  "Never changes, and is never used again for another message."
  id: ID!

  "The person it was sent to."
  to: Person!

  "1 to 10,000 characters."
  text: String!

  "When it was sent: RFC 3339 in UTC, such as 2026-08-01T12:00:00.000Z."
  sentAt: String!
}

"""
What can be written. Every field needs a credential with the scope write: without a credential it is
an error with code UNAUTHENTICATED, without the scope one with code FORBIDDEN. Fields run one after
the other, each in a transaction of its own, and one that fails does not undo the others.
"""
type Mutation {
  "Gives the person another name; null where nobody has the id."
  renamePerson(
    "The id of the person."
    id: ID!
    "The new name: 1 to 200 characters, not only blanks."
    name: String!
  ): Person

  "Adds a person under a new id."
  createPerson(
    "The person to add."
    input: CreatePersonInput!
  ): Person

  "Changes what is given and keeps the rest; null where nobody has the id."
  updatePerson(
    "The id of the person."
    id: ID!
    "What to change."
    input: UpdatePersonInput!
    "Writes only where the person has this version, else it is an error with code CONFLICT."
    ifVersion: Int
  ): Person

  "Replaces name, age, email and address, so that what is not given is cleared; null where nobody has the id."
  replacePerson(
    "The id of the person."
    id: ID!
    "All that is known of the person from now on."
    input: CreatePersonInput!
    "Writes only where the person has this version, else it is an error with code CONFLICT."
    ifVersion: Int
  ): Person

  """
  Deletes the person, which ends its friendships and puts messages to it out of sight; null where
  nobody has the id. The person is given as it was, but without friends.
  """
  deletePerson(
    "The id of the person."
    id: ID!
    "Deletes only where the person has this version, else it is an error with code CONFLICT."
    ifVersion: Int
  ): Person

  "Sends a text to a person; an error with code NOT_FOUND where there is none."
  sendMessage(
    "The id of the person to send to."
    to: ID!
    "1 to 10,000 characters."
    text: String!
  ): Message

  """
  Makes two persons friends of each other, which changes nothing where they are. Gives the person with
  the id, or null where there is none; an unknown friend is an error with code NOT_FOUND, and the same
  person twice one with code BAD_USER_INPUT.
  """
  befriend(
    "The id of the person."
    id: ID!
    "The id of the other person."
    friend: ID!
  ): Person

  """
  Ends the friendship of two persons, which changes nothing where there is none. Gives the person with
  the id, or null where there is none; an unknown friend is an error with code NOT_FOUND, and the same
  person twice one with code BAD_USER_INPUT.
  """
  unfriend(
    "The id of the person."
    id: ID!
    "The id of the other person."
    friend: ID!
  ): Person
}

"A whole person. What is absent or null is not known."
input CreatePersonInput {
  "1 to 200 characters, not only blanks."
  name: String!

  "In years: 0 to 150."
  age: Int

  "An address for electronic mail: one @ with text on both sides, no blanks, at most 254 characters."
  email: String

  "Where the person lives."
  address: AddressInput
}

"What to change of a person. What is absent stays, and null clears."
input UpdatePersonInput {
  "1 to 200 characters, not only blanks. Null is an error: everybody has a name."
  name: String

  "In years: 0 to 150."
  age: Int

  "An address for electronic mail: one @ with text on both sides, no blanks, at most 254 characters."
  email: String

  "Merged part by part into the address that is known; null clears it all."
  address: AddressInput
}

"Where somebody lives. An address of which no part is known is none."
input AddressInput {
  "Street and house number: 1 to 200 characters."
  street: String

  "The city or village: 1 to 200 characters."
  city: String

  "The country: 1 to 200 characters."
  country: String
}
`
