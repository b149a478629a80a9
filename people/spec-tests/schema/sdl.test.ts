import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql'
import type { IntrospectionQuery } from 'graphql'
import { createHandler } from 'graphwire'
import { testClient } from 'graphwire/testing'
import t from 'tap'
import { createPeopleSchema } from '../../schema/create-schema.js'

const promised = `type Query {
  person(id: ID!): Person
  people(limit: Int, after: ID): [Person!]
  message(id: ID!): Message
}

type Person {
  id: ID!
  name: String!
  age: Int
  email: String
  friends(limit: Int): [Person!]!
  address: Address
  version: Int!
}

type Address {
  street: String
  city: String
  country: String
}

type Message {
  id: ID!
  to: Person!
  text: String!
  sentAt: String!
}

type Mutation {
  renamePerson(id: ID!, name: String!): Person
  createPerson(input: CreatePersonInput!): Person
  updatePerson(id: ID!, input: UpdatePersonInput!, ifVersion: Int): Person
  replacePerson(id: ID!, input: CreatePersonInput!, ifVersion: Int): Person
  deletePerson(id: ID!, ifVersion: Int): Person
  sendMessage(to: ID!, text: String!): Message
  befriend(id: ID!, friend: ID!): Person
  unfriend(id: ID!, friend: ID!): Person
}

type Subscription {
  personChanged(id: ID): PersonChange!
  messageReceived(to: ID!): Message!
}

type PersonChange {
  kind: PersonChangeKind!
  id: ID!
  person: Person
}

enum PersonChangeKind {
  ADDED
  CHANGED
  REMOVED
}

input CreatePersonInput {
  name: String!
  age: Int
  email: String
  address: AddressInput
}

input UpdatePersonInput {
  name: String
  age: Int
  email: String
  address: AddressInput
}

input AddressInput {
  street: String
  city: String
  country: String
}`

/** The schema as clients read it. */
async function introspect(options: { descriptions: boolean }): Promise<IntrospectionQuery> {
  // @defer and @stream, which graphwire adds with graphql 17, are no part of the service's own schema.
  const handler = createHandler({ schema: createPeopleSchema(), incremental: false })
  const query = getIntrospectionQuery({ schemaDescription: true, ...options })
  const response = await testClient(handler)({ json: { query } })
  return (response.json() as { data: IntrospectionQuery }).data
}

void t.test('clients read the schema that was promised, and nothing more', async (t) => {
  const schema = buildClientSchema(await introspect({ descriptions: false }))
  t.equal(printSchema(schema), promised)
})

interface Described {
  readonly name: string
  readonly description?: string | null
  readonly fields?: readonly Described[] | null
  readonly inputFields?: readonly Described[] | null
  readonly args?: readonly Described[]
}

/** The places of all that can have a description and has none. */
function undescribed(place: string, one: Described): readonly string[] {
  const path = `${place}${one.name}`
  const members = [one.fields, one.inputFields, one.args].flatMap((list) => list ?? [])
  const own = (one.description ?? '') === '' ? [path] : []
  return [...own, ...members.flatMap((member) => undescribed(`${path}.`, member))]
}

void t.test('every type, field, argument and input has a description', async (t) => {
  const { __schema: schema } = await introspect({ descriptions: true })
  t.match(schema.description, 'BAD_USER_INPUT')
  const types = schema.types.filter(({ name }) => !name.startsWith('__')) as Described[]
  t.ok(types.length > 8)
  t.strictSame(
    types.flatMap((type) => undescribed('', type)),
    [],
  )
})
