import { buildSchema } from 'graphql'

export { version } from 'graphql'

/** The schema of the people service. */
export const typeDefs = `
type Query {
  hello: String!
  person(id: ID!): Person
  people(limit: Int): [Person!]!
  members(limit: Int): [Member!]!
  beings(limit: Int): [Being!]!
}

type Mutation {
  rename(id: ID!, name: String!): Person
}

type Member {
  name: String!
  initials: String!
  isAdult: Boolean!
}

union Being = Person | Robot

interface Named {
  name: String!
}

type Robot implements Named {
  id: ID!
  name: String!
  owner: Person!
  parts(limit: Int): [Robot!]!
}

type Person implements Named {
  id: ID!
  name: String!
  email: String!
  age: Int
  address: Address
  friends(limit: Int): [Person!]!
}

type Address {
  street: String
  city: String
  country: String
}
`

/** The schema of servers in other languages: enough for W1 to W4. */
export const queryTypeDefs = `
schema {
  query: Query
}

type Query {
  hello: String!
  person(id: ID!): Person
  people(limit: Int): [Person!]!
}

${/type Person implements Named [^]*$/.exec(typeDefs)[0].replace(' implements Named', '')}`

/** How many persons there are, with the ids '1' to this. */
export const personCount = 1000

const friendCount = 20
const givenNames = ['Ada', 'Alan', 'Barbara', 'Claude', 'Dorothy', 'Edsger', 'Frances', 'Grace']
const familyNames = ['Andersson', 'Bernstein', 'Castellano', 'Dubois', 'Eriksen', 'Fitzgerald']
const cities = [
  ['London', 'United Kingdom'],
  ['Amsterdam', 'Netherlands'],
  ['Thessaloniki', 'Greece'],
  ['Buenos Aires', 'Argentina'],
  ['Kristiansand', 'Norway'],
]

export const people = Array.from({ length: personCount }, (_, at) => createPerson(at + 1))
const peopleById = new Map(people.map((person) => [person.id, person]))
const beings = people.map((person, at) => (at % 2 === 0 ? person : createRobot(person, 3)))

const synchronous = {
  Query: {
    hello: () => 'Hello, world!',
    person: (_, { id }) => peopleById.get(id) ?? null,
    people: (_, { limit }) => people.slice(0, limit ?? people.length),
    members: (_, { limit }) => people.slice(0, limit ?? people.length),
    beings: (_, { limit }) => beings.slice(0, limit ?? beings.length),
  },
  Mutation: {
    rename: (_, { id, name }) => {
      const person = peopleById.get(id)
      if (person === undefined) return null
      person.name = name
      return person
    },
  },
  Member: {
    name: ({ name }) => name,
    initials: ({ name }) => name.replaceAll(/[^A-Z]/g, ''),
    isAdult: ({ age }) => age >= 18,
  },
  Robot: {
    parts: ({ parts }, { limit }) => parts.slice(0, limit ?? parts.length),
  },
  Person: {
    friends: ({ friends }, { limit }) =>
      friends.slice(0, limit ?? friends.length).map((id) => peopleById.get(id)),
  },
}

/** The resolvers by type and field; those of `async`, or of one field, give a promise of the same value. */
export function createResolvers(kind = process.env.RESOLVERS) {
  if (kind === 'async') return mapFields(synchronous, later)
  if (kind !== 'one-async') return synchronous
  const { Member } = synchronous
  return { ...synchronous, Member: { ...Member, initials: later(Member.initials) } }
}

/** For the servers that take nothing but a GraphQLSchema. */
export function createSchema(kind) {
  const schema = buildSchema(typeDefs)
  for (const [type, fields] of Object.entries(createResolvers(kind))) {
    for (const [name, resolve] of Object.entries(fields)) {
      schema.getType(type).getFields()[name].resolve = resolve
    }
  }
  return schema
}

function createPerson(number) {
  const given = givenNames[number % givenNames.length]
  const family = familyNames[number % familyNames.length]
  const [city, country] = cities[number % cities.length]
  return {
    __typename: 'Person',
    id: String(number),
    name: `${given} ${family}`,
    email: `${given}.${number}@example.org`.toLowerCase(),
    age: 18 + (number % 70),
    address: { street: `${number} Station Road`, city, country },
    friends: Array.from({ length: friendCount }, (_, at) =>
      String(((number * 7 + at * 31) % personCount) + 1),
    ),
  }
}

function createRobot(owner, levels) {
  const parts = levels === 0 ? [] : [createRobot(owner, levels - 1), createRobot(owner, levels - 1)]
  return {
    __typename: 'Robot',
    id: `R${owner.id}`,
    name: `R${levels} of ${owner.name}`,
    owner,
    parts,
  }
}

function mapFields(types, change) {
  return Object.fromEntries(
    Object.entries(types).map(([type, fields]) => [
      type,
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)])),
    ]),
  )
}

function later(resolve) {
  return async (...args) => resolve(...args)
}
