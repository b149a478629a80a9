import { readFileSync } from 'node:fs'

/** The schemas of the corpus, by name. */
export const schemas: { readonly [name: string]: string } = {
  people: `
    type Query { hello: String!  person(id: ID!): Person  people(limit: Int): [Person!]! }
    type Person {
      id: ID!  name: String!  email: String  age: Int  address: Address
      friends(limit: Int): [Person!]!
    }
    type Address { street: String  city: String  country: String }
  `,
  standard: readFileSync(
    new URL('../../../../../fixtures/standard/schema.graphql', import.meta.url),
    'utf8',
  ),
  pets: `
    directive @onQuery on QUERY
    directive @onField(reason: String) on FIELD
    directive @many(times: Int!) repeatable on FIELD | QUERY | FRAGMENT_DEFINITION | INLINE_FRAGMENT
    directive @onVariable(filter: Filter) on VARIABLE_DEFINITION
    directive @onSpread on FRAGMENT_SPREAD
    interface Node { id: ID! }
    interface Being implements Node { id: ID!  name(surname: Boolean = false): String }
    enum Command { SIT DOWN HEEL }
    scalar Moment
    input Filter {
      name: String = "x"  tags: [String!]  nested: Filter  required: Int!  command: Command
      since: Moment
    }
    input Key @oneOf { id: ID  name: String  number: Int }
    type Dog implements Node & Being {
      id: ID!  name(surname: Boolean = false): String  nickname: String  barkVolume: Int
      knows(command: Command!): Boolean!  owner: Human
    }
    type Cat implements Node & Being {
      id: ID!  name(surname: Boolean = false): String  nickname: Int  meowVolume: Int!
      knows(command: Command!): Boolean  owner: Human
    }
    type Human implements Node { id: ID!  pets(filter: Filter, first: Int = 10): [Pet!] }
    union Pet = Dog | Cat
    type Query {
      node(id: ID!): Node  being(id: ID!): Being  pet(key: Key!): Pet  dog: Dog  cat: Cat
      pets(filter: Filter, ids: [ID!], first: Int! = 3): [Pet!]!  human(id: ID!): Human
      scalars(int: Int, float: Float, string: String, boolean: Boolean, id: ID, moment: Moment): Int
    }
    type Mutation { rename(id: ID!, name: String!): Being  feed(keys: [Key!]!): [Pet] }
    type Subscription { fed(key: Key): Pet  renamed: Being }
  `,
  incremental: `
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    type Query { message: Message  messages(first: Int): [Message!] }
    type Mutation { send(body: String!): Message  sendAll: [Message] }
    type Subscription { message: Message  messages: [Message] }
    type Message { id: ID!  body: String  replies(first: Int): [Message!]  tags: [[String]] }
  `,
}
