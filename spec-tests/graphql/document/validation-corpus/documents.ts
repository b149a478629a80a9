export const schemas: { readonly [name: string]: string } = {
  people: `
    type Query { hello: String!  person(id: ID!): Person  people(limit: Int): [Person!]! }
    type Person { id: ID!  name: String!  address: Address  friends(limit: Int): [Person!]! }
    type Address { street: String  city: String }
  `,
  pets: `
    directive @onQuery on QUERY
    directive @onField(reason: String) on FIELD
    directive @many(times: Int!) repeatable on FIELD | QUERY | FRAGMENT_DEFINITION | INLINE_FRAGMENT
    directive @onVariable(filter: Filter) on VARIABLE_DEFINITION
    interface Node { id: ID! }
    interface Being implements Node { id: ID!  name(surname: Boolean = false): String }
    enum Command { SIT DOWN HEEL }
    scalar Moment
    input Filter { name: String = "x"  tags: [String!]  nested: Filter  required: Int!  command: Command }
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
    type Subscription { message: Message }
    type Message { id: ID!  body: String  replies(first: Int): [Message!] }
  `,
}

/** Documents in which every rule of graphql 16 and 17 finds something, and a few in which none does. */
// oxfmt-ignore
export const documents: readonly (readonly [schema: string, source: string])[] = [
  ['people',      '{ hello person(id: 1) { ...P friends(limit: 5) { ...P } } } fragment P on Person { id name address { street city } }'],
  ['people',      'mutation { hello }'],
  ['people',      'query ($a: ID!, $a: Int, $a: ID!) { person(id: $a) { id } }'],
  ['people',      '{ person(id: $id) { ...F } } fragment F on Person { friends(limit: $n) { id } }'],
  ['people',      'query Q ($a: Int, $b: Int) { people(limit: $b) { id } }'],
  ['people',      '{ person(id: 1, id: 2, id: 1) { friends(limit: 1) { id @include(if: true, if: false) } } }'],
  ['people',      '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }'],
  ['pets',        'query A { dog { ...F } } query B($c: Command!) { cat { knows(command: $c) } } fragment F on Dog { id ...H } fragment H on Being { name }'],
  ['pets',        'query ($f: Filter = { required: 1, tags: ["a"] } @onVariable) @onQuery { pets(filter: $f) { ... on Dog @many(times: 1) { id } } }'],
  ['pets',        '{ scalars(int: 1, float: 2.5, string: """a""", boolean: false, id: "a", moment: [1, { a: "b", b: null }]) }'],
  ['pets',        'mutation ($k: [Key!]!) { rename(id: 1, name: "x") { ...D } feed(keys: $k) { ... on Node { id } } } fragment D on Dog { owner { id } }'],
  ['pets',        '{ dog { id } } "a" schema { query: Query } extend type Dog { "how loud" color: String }'],
  ['pets',        'query A { dog { id } } query A { cat { id } } mutation A { feed(keys: []) { __typename } }'],
  ['pets',        '{ dog { id } } query A { dog { id } }'],
  ['pets',        'subscription { ...F } fragment F on Subscription { fed { __typename } renamed { id } }'],
  ['pets',        'query ($f: Filtr) { pets(filter: $f) { ... on Dogg { id } } }'],
  ['pets',        '{ dog { ... on Command { id } ...F } } fragment F on Filter { name }'],
  ['pets',        'query ($a: Dog, $b: [[Pet!]]!, $c: Node) { dog { id } }'],
  ['pets',        '{ dog { id { x } owner } human(id: 1) { pets } }'],
  ['pets',        '{ dgo { id } pet(key: { id: 1 }) { name } node(id: 1) { name nickname } }'],
  ['pets',        '{ dog { ...A } } fragment A on Dog { id } fragment A on Dog { name }'],
  ['pets',        '{ dog { ...A ... on Dog { ...B } } }'],
  ['pets',        '{ dog { id } } fragment A on Dog { ...B } fragment B on Dog { id }'],
  ['pets',        '{ dog { ... on Cat { id } ...A } } fragment A on Human { id }'],
  ['pets',        '{ dog { ...A } } fragment A on Dog { id ...B } fragment B on Dog { owner { id } ...C } fragment C on Dog { ...A ...B }'],
  ['pets',        'query @onField { dog @unknown { ...F @onQuery } } fragment F on Dog @include(if: true) { id }'],
  ['pets',        'query @onQuery @onQuery { dog @onField @skip(if: true) @onField @skip(if: false) { id } }'],
  ['pets',        '{ dog(loud: true) { name(surnam: true) @onField(reson: "x") knows(command: SIT, a: 1, b: 2) } }'],
  ['pets',        '{ scalars(int: 12345678901, float: true, string: ENUM, boolean: [true], id: { a: 1 }) }'],
  ['pets',        '{ pets(filter: { name: null, tags: [null, 1], nested: {}, comand: SIT }, ids: null, first: null) { __typename } }'],
  ['pets',        'query ($v: String) { a: pet(key: { id: 1, name: "x" }) { ...F } b: pet(key: { name: $v }) { ...F } c: pet(key: {}) { ...F } }'],
  ['pets',        'mutation { rename(id: 1) { id @skip @many } }'],
  ['pets',        'query ($id: ID, $n: String, $ids: [ID]) { human(id: $id) { id } pets(first: $n, ids: $ids) { __typename } }'],
  ['pets',        '{ dog { name(surname: true) ...A } dog { name(surname: false) } pets { ... on Cat { nickname } ...A } } fragment A on Dog { nickname }'],
  ['pets',        '{ pets(filter: { required: 1, name: "a", name: "b", nested: { required: 1, required: 2 } }) { __typename } }'],
  // graphql 16 throws on it instead of giving errors.
  ['pets',        'subscription ($b: Boolean!) { renamed @skip(if: $b) { id } }'],
  ['incremental', 'query ($if: Boolean!) { message { ... @defer(label: "a", if: $if) { replies(first: 2) @stream(initialCount: 1, label: "b") { id } } } }'],
  ['incremental', 'mutation { ... @defer { send(body: "x") { id } } sendAll @stream { id } }'],
  ['incremental', 'subscription { message { ... @defer { body } ...F } } fragment F on Message { replies @stream { id } }'],
  ['incremental', 'query ($l: String) { ... @defer(label: "a") { message { id } } messages @stream(label: "a") { ... @defer(label: $l) { id } } }'],
  ['incremental', '{ message @stream { id @stream body } }'],
]
