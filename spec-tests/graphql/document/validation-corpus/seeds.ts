import { schemas } from './schemas.js'

/** A document and the schema it is meant for. */
export interface Sample {
  readonly schema: string
  readonly source: string
}

/** Documents of one rule: in the invalid ones it must find something, in the valid ones nothing. */
export interface RuleSeeds {
  readonly schema: string
  readonly valid: readonly string[]
  readonly invalid: readonly string[]
}

const depths = (field: string) =>
  `{ __schema { types { ${field} { type { ${field} { name } } } } } }`

/** Hand-written documents for every rule that graphql 16 or 17 specifies. */
export const seeds: { readonly [rule: string]: RuleSeeds } = {
  ExecutableDefinitionsRule: {
    schema: 'pets',
    valid: ['{ dog { name } }', 'query A { dog { ...F } } fragment F on Dog { name }'],
    invalid: [
      '{ dog { name } } type Cow { name: String }',
      '{ dog { name } } extend type Dog { "how loud" color: String }',
      '{ dog { id } } "a" schema { query: Query } "b" directive @x("c" a: Int = 1) on FIELD',
    ],
  },
  KnownOperationTypesRule: {
    schema: 'people',
    valid: ['query { hello }'],
    invalid: ['mutation { hello }', 'subscription S { hello }'],
  },
  UniqueOperationNamesRule: {
    schema: 'pets',
    valid: ['query A { dog { id } } mutation B { rename(id: 1, name: "x") { id } }'],
    invalid: [
      'query A { dog { id } } query A { cat { id } } mutation A { feed(keys: []) { __typename } }',
    ],
  },
  LoneAnonymousOperationRule: {
    schema: 'pets',
    valid: ['{ dog { ...F } } fragment F on Dog { id }'],
    invalid: ['{ dog { id } } query A { dog { id } }', '{ dog { id } } { cat { id } }'],
  },
  SingleFieldSubscriptionsRule: {
    schema: 'pets',
    valid: [
      'subscription { renamed { id } }',
      'subscription S { ...F } fragment F on Subscription { fed { __typename } }',
    ],
    invalid: [
      'subscription S { renamed { id } fed { __typename } }',
      'subscription { ...F } fragment F on Subscription { fed { __typename } renamed { id } }',
      'subscription { __typename }',
    ],
  },
  KnownTypeNamesRule: {
    schema: 'pets',
    valid: ['query ($f: Filter) { pets(filter: $f) { ... on Dog { id } } }'],
    invalid: [
      'query ($f: Filtr) { pets(filter: $f) { ... on Dogg { id } } }',
      'query ($f: [Unknown!]!) { dog { ...F } } fragment F on Badger { id }',
    ],
  },
  FragmentsOnCompositeTypesRule: {
    schema: 'pets',
    valid: [
      '{ node(id: 1) { ... on Being { name } } pet(key: { id: 1 }) { ... on Pet { __typename } } }',
    ],
    invalid: [
      '{ dog { ... on Command { id } } }',
      '{ dog { ...F } } fragment F on Filter { name }',
    ],
  },
  VariablesAreInputTypesRule: {
    schema: 'pets',
    valid: [
      'query ($a: [ID!], $b: Filter, $c: Command) { pets(ids: $a, filter: $b) { ...F } dog { knows(command: $c) } } fragment F on Pet { __typename }',
    ],
    invalid: ['query ($a: Dog, $b: [[Pet!]]!, $c: Node) { dog { id } }'],
  },
  ScalarLeafsRule: {
    schema: 'pets',
    valid: ['{ dog { id name owner { id } } }'],
    invalid: ['{ dog }', '{ dog { id { x } owner } human(id: 1) { pets } }'],
  },
  FieldsOnCorrectTypeRule: {
    schema: 'pets',
    valid: [
      '{ being(id: 1) { id name ... on Dog { barkVolume } } pet(key: { id: 1 }) { __typename } }',
    ],
    invalid: [
      '{ dgo { id } pet(key: { id: 1 }) { name } node(id: 1) { name nickname } }',
      '{ dog { barkVolum meowVolume kind @onField } }',
    ],
  },
  UniqueFragmentNamesRule: {
    schema: 'pets',
    valid: ['{ dog { ...A ...B } } fragment A on Dog { id } fragment B on Dog { name }'],
    invalid: ['{ dog { ...A } } fragment A on Dog { id } fragment A on Dog { name }'],
  },
  KnownFragmentNamesRule: {
    schema: 'pets',
    valid: ['{ dog { ...A } } fragment A on Dog { id }'],
    invalid: ['{ dog { ...A ... on Dog { ...B } } }'],
  },
  NoUnusedFragmentsRule: {
    schema: 'pets',
    valid: ['{ dog { ...A } } fragment A on Dog { ...B } fragment B on Dog { id }'],
    invalid: ['{ dog { id } } fragment A on Dog { ...B } fragment B on Dog { id }'],
  },
  PossibleFragmentSpreadsRule: {
    schema: 'pets',
    valid: ['{ node(id: 1) { ...A } } fragment A on Being { ... on Dog { id } }'],
    invalid: [
      '{ dog { ... on Cat { id } ...A } } fragment A on Human { id }',
      '{ human(id: 1) { ... on Pet { __typename } } }',
    ],
  },
  NoFragmentCyclesRule: {
    schema: 'pets',
    valid: ['{ dog { ...A ...A } } fragment A on Dog { ...B ...B } fragment B on Dog { id }'],
    invalid: [
      '{ dog { ...A } } fragment A on Dog { ...A }',
      '{ dog { ...A } } fragment A on Dog { id ...B } fragment B on Dog { owner { id } ...C } fragment C on Dog { ...A ...B }',
    ],
  },
  UniqueVariableNamesRule: {
    schema: 'people',
    valid: ['query ($a: ID!, $b: Int) { person(id: $a) { friends(limit: $b) { id } } }'],
    invalid: ['query ($a: ID!, $a: Int, $a: ID!) { person(id: $a) { id } }'],
  },
  NoUndefinedVariablesRule: {
    schema: 'people',
    valid: [
      'query ($n: Int) { people(limit: $n) { ...F } } fragment F on Person { friends(limit: $n) { id } }',
    ],
    invalid: [
      '{ person(id: $id) { ...F } } fragment F on Person { friends(limit: $n) { id } }',
      'query A ($n: Int) { people(limit: $n) { ...F } } query B { people { ...F } } fragment F on Person { friends(limit: $n) { id } }',
    ],
  },
  NoUnusedVariablesRule: {
    schema: 'people',
    valid: ['query ($id: ID!) { person(id: $id) { id } }'],
    invalid: [
      'query ($a: Int, $b: Int) { hello }',
      'query Q ($a: Int, $b: Int) { people(limit: $b) { id } }',
    ],
  },
  KnownDirectivesRule: {
    schema: 'pets',
    valid: [
      'query @onQuery { dog @onField { ...F @onSpread } } fragment F on Dog @many(times: 1) { id @skip(if: true) }',
    ],
    invalid: [
      'query @onField { dog @unknown { ...F @onQuery } } fragment F on Dog @include(if: true) { id }',
      'query ($a: Int @onField) { pets(first: $a) { __typename } }',
    ],
  },
  UniqueDirectivesPerLocationRule: {
    schema: 'pets',
    valid: [
      'query @many(times: 1) @many(times: 2) { dog @onField @many(times: 1) @many(times: 1) { id } }',
    ],
    invalid: [
      'query @onQuery @onQuery { dog @onField @skip(if: true) @onField @skip(if: false) @skip(if: true) { id } }',
    ],
  },
  DeferStreamDirectiveOnRootFieldRule: {
    schema: 'incremental',
    valid: ['{ ... @defer { message { id } } messages @stream { id } }'],
    invalid: [
      'mutation { ... @defer { send(body: "x") { id } } sendAll @stream { id } }',
      'subscription { ... @defer { message { id } } }',
    ],
  },
  DeferStreamDirectiveOnValidOperationsRule: {
    schema: 'incremental',
    valid: [
      'subscription ($b: Boolean!) { message { ... @defer(if: false) { body } replies @stream(if: $b) { id } } }',
    ],
    invalid: [
      'subscription { message { ... @defer { body } ...F } } fragment F on Message { replies @stream { id } }',
    ],
  },
  DeferStreamDirectiveLabelRule: {
    schema: 'incremental',
    valid: ['{ ... @defer(label: "a") { message { id } } messages @stream(label: "b") { id } }'],
    invalid: [
      'query ($l: String) { ... @defer(label: "a") { message { id } } messages @stream(label: "a") { ... @defer(label: $l) { id } } }',
    ],
  },
  StreamDirectiveOnListFieldRule: {
    schema: 'incremental',
    valid: [
      '{ messages @stream(initialCount: 1) { replies(first: 1) @stream { id } tags @stream } }',
    ],
    invalid: ['{ message @stream { id @stream body } }'],
  },
  KnownArgumentNamesRule: {
    schema: 'pets',
    valid: ['{ dog { name(surname: true) @onField(reason: "x") } }'],
    invalid: [
      '{ dog(loud: true) { name(surnam: true) @onField(reson: "x") knows(command: SIT, a: 1, b: 2) } }',
    ],
  },
  UniqueArgumentNamesRule: {
    schema: 'people',
    valid: ['{ person(id: 1) { friends(limit: 1) { id @include(if: true) } } }'],
    invalid: [
      '{ person(id: 1, id: 2, id: 1) { friends(limit: 1) { id @include(if: true, if: false) } } }',
    ],
  },
  ValuesOfCorrectTypeRule: {
    schema: 'pets',
    valid: [
      '{ scalars(int: 1, float: 1, string: "x", boolean: true, id: 1, moment: { a: [1] }) }',
      'query ($f: Filter = { required: 1, tags: ["a"], nested: { required: 2, command: SIT } }) { pets(filter: $f, ids: 1) { __typename } }',
      'query ($v: String!) { pet(key: { name: $v }) { __typename } }',
    ],
    invalid: [
      '{ scalars(int: "1", float: "x", string: 1, boolean: 0, id: 1.5) }',
      '{ scalars(int: 12345678901, float: true, string: ENUM, boolean: [true], id: { a: 1 }) }',
      '{ pets(filter: { name: null, tags: [null, 1], nested: {}, comand: SIT }, ids: null, first: null) { ...F } } fragment F on Dog { knows(command: ROLL) }',
      'query ($v: String) { pet(key: { id: 1, name: "x" }) { __typename } a: pet(key: { name: $v }) { __typename } b: pet(key: { id: null }) { __typename } c: pet(key: {}) { __typename } }',
      'query ($f: Filter = { required: "x" } @onVariable(filter: 1), $n: Int! = null) { pets(filter: $f, first: $n) { __typename } }',
      '{ dog { knows(command: "SIT") } cat { knows(command: sit) } }',
    ],
  },
  ProvidedRequiredArgumentsRule: {
    schema: 'pets',
    valid: ['{ pets { __typename } dog { knows(command: SIT) @skip(if: true) } }'],
    invalid: ['{ human { id } dog { knows @skip @many } }', 'mutation { rename(id: 1) { id } }'],
  },
  VariablesInAllowedPositionRule: {
    schema: 'pets',
    valid: [
      'query ($id: ID!, $n: Int = 1, $ids: [ID!]) { human(id: $id) { id } pets(first: $n, ids: $ids) { __typename } }',
    ],
    invalid: [
      'query ($id: ID, $n: String, $ids: [ID]) { human(id: $id) { id } pets(first: $n, ids: $ids) { ...F } } fragment F on Dog { name(surname: $n) }',
    ],
  },
  OverlappingFieldsCanBeMergedRule: {
    schema: 'pets',
    valid: [
      '{ pets { ... on Dog { volume: barkVolume } ... on Cat { nick: nickname } } dog { id } dog { id } }',
    ],
    invalid: [
      '{ dog { a: id a: name } pets { ... on Dog { nickname } ... on Cat { nickname } } }',
      '{ dog { name(surname: true) ...A } dog { name(surname: false) ...B } } fragment A on Dog { x: id y: owner { id } } fragment B on Dog { x: barkVolume y: owner { id: pets { __typename } } }',
      '{ pets { ... on Dog { knows(command: SIT) } ... on Cat { knows(command: SIT) } } }',
    ],
  },
  UniqueInputFieldNamesRule: {
    schema: 'pets',
    valid: ['{ pets(filter: { required: 1, nested: { required: 1 } }) { __typename } }'],
    invalid: [
      '{ pets(filter: { required: 1, name: "a", name: "b", nested: { required: 1, required: 2 } }) { __typename } }',
    ],
  },
  MaxIntrospectionDepthRule: {
    schema: 'people',
    valid: [depths('fields'), '{ __type(name: "Person") { fields { name } } }'],
    invalid: [
      '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }',
      '{ __type(name: "Query") { ...F } } fragment F on __Type { interfaces { possibleTypes { interfaces { possibleTypes { interfaces { possibleTypes { name } } } } } } }',
    ],
  },
}

const person = 'id name age address { street city country } friends(limit: 5) { id name }'

/** graphql 16 throws on this instead of giving errors. */
const thrower = 'subscription ($b: Boolean!) { renamed @skip(if: $b) { id } }'

/** Larger documents as clients send them, to be changed. */
// oxfmt-ignore
const real: readonly Sample[] = [
  { schema: 'people',   source: '{ hello }' },
  { schema: 'people',   source: `query P($id: ID!) { person(id: $id) { ${person} } }` },
  { schema: 'people',   source: `query L($n: Int = 3) { people(limit: $n) { ...P friends { ...P } } } fragment P on Person { ${person} email }` },
  { schema: 'standard', source: `query Q($id: ID!, $with: Boolean!) { person(id: $id) { ${person} } echo(s: "x") counter @include(if: $with) }` },
  { schema: 'standard', source: `mutation M($id: ID!, $n: String!) { renamePerson(id: $id, name: $n) { ...P } increment } fragment P on Person { ${person} }` },
  { schema: 'standard', source: '{ __schema { types { name kind fields { name args { name type { name ofType { name } } } } } directives { name } } }' },
  {
    schema: 'pets',
    source:
      'query Pets($f: Filter = { required: 1, tags: ["a"] }, $ids: [ID!], $s: Boolean @onVariable) @onQuery { pets(filter: $f, ids: $ids) { ...Being ... on Dog @many(times: 1) { barkVolume knows(command: SIT) owner { pets(first: 2) { ...Being } } } ... on Cat { meowVolume } } } fragment Being on Being { id name(surname: $s) @onField(reason: "x") }',
  },
  {
    schema: 'pets',
    source:
      'mutation ($keys: [Key!]!) { rename(id: 1, name: "x") { id ...D } feed(keys: $keys) { __typename ... on Node { id } } one: feed(keys: [{ id: 1 }, { name: "a" }]) { ...D } } fragment D on Dog { nickname a: barkVolume owner { id } }',
  },
  {
    schema: 'pets',
    source:
      'subscription S($k: Key) { fed(key: $k) { ... on Dog { ...D } ... on Cat { id } } } fragment D on Dog { id ...N } fragment N on Node { id }',
  },
  {
    schema: 'pets',
    source:
      'query A { dog { ...F } } query B($c: Command!) { cat { ...G knows(command: $c) } } fragment F on Dog { id ...H } fragment G on Cat { id ...H } fragment H on Being { name }',
  },
  { schema: 'pets', source: '{ scalars(int: 1, float: 2.5, string: """a""", boolean: false, id: "a", moment: [1, { a: $v, b: null }]) }' },
  {
    schema: 'incremental',
    source:
      'query ($if: Boolean!) { message { id ... @defer(label: "a", if: $if) { body replies(first: 2) @stream(initialCount: 1, label: "b") { id ...M @defer(label: "c") } } } messages @stream { id } } fragment M on Message { body tags }',
  },
  {
    schema: 'incremental',
    source:
      'subscription S($if: Boolean!) { message { ... @defer(if: $if) { body } replies @stream(if: false) { ...M } } } fragment M on Message { id }',
  },
  { schema: 'incremental', source: 'mutation { sendAll { id } send(body: "x") { ... @defer { replies @stream { id } } } }' },
  {
    schema: 'pets',
    source:
      '"about it" query D("how many" $n: Int = 1) { human(id: 1) { pets(first: $n) { __typename } } } "a piece" fragment Unused on Dog { id }',
  },
]

/** Everything that is written by hand. */
export const samples: readonly Sample[] = [
  ...real,
  { schema: 'pets', source: thrower },
  ...Object.values(seeds).flatMap(({ schema, valid, invalid }) =>
    [...valid, ...invalid].map((source) => ({ schema, source })),
  ),
  // A document for one schema is a new kind of nonsense for another.
  ...Object.keys(schemas).flatMap((schema) => real.map(({ source }) => ({ schema, source }))),
]
