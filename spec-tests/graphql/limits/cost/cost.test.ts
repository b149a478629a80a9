import * as graphql from 'graphql'
import * as graphql16 from 'graphql-16'
import t from 'tap'
import { testClient } from '../../../../src/hosts/testing.js'
import {
  createHandler,
  type GraphQLModule,
  type LimitReport,
  type Options,
} from '../../../../src/index.js'

function ids(count: number): string {
  return Array.from({ length: count }, (_, at) => `"${at}"`).join(' ')
}

function many(count: number): readonly string[] {
  return Array.from({ length: count }, String)
}

const sdl = `
  directive @cost(weight: String!) on FIELD_DEFINITION | ARGUMENT_DEFINITION
  directive @listSize(
    assumedSize: Int
    slicingArguments: [String!]
    sizedFields: [String!]
  ) on FIELD_DEFINITION
  scalar Any
  interface Named { name: String  friends(limit: Int): [Person] }
  type Person implements Named { name: String  friends(limit: Int): [Person]  tags: [String]  having(all: [String]): Int
    has(ids: [ID]): [Boolean]  hasBy(window: Window): [Boolean]  hasAssumed(ids: [ID]): [Boolean] @listSize(assumedSize: 5)
    meta(of: Any): Int  metas(of: [Any]): Int  about(window: Window): Int  wide(of: [Wide]): Int }
  type Idle { free: Int @cost(weight: "0") }
  type Robot implements Named { name: String  friends(limit: Int): [Person]  serial: Int }
  union Being = Person | Robot
  type Edge { node: Person }
  type Page { from: Int }
  type Connection { edges: [Edge!]!  nodes(first: Int): [Person]  page: Page  hits: [Person]  ids: [Int] }
  interface Layered { edges: [Edge] }
  type Layer implements Layered {
    inner: Layer
    layered: Layered
    either: Layers
    edges: [Edge]
    hits: [Person]
    nodes(first: Int): [Person]
    byIds(ids: [ID]): [Person]
    assumed: [Person] @listSize(assumedSize: 50)
    groups(limit: Int): [Layer]
    paged(first: Int): Layer
    ids: [Int]
    table: [[Person]]
  }
  union Layers = Layer
  interface Node {
    feed(limit: Int = 1): [Node]
    items: [Node]
    dear: Int
    weigh(x: Int): Int
    page: Nodes
    assumed: [Node]
    least: [Node] @listSize(assumedSize: 2)
    codes: [Int]
  }
  interface Inner implements Node {
    feed(limit: Int = 1): [Node]
    items: [Node]
    dear: Int
    weigh(x: Int): Int
    page: Nodes
    assumed: [Node]
    least: [Node]
    codes: [Int]
  }
  type Small implements Inner & Node {
    feed(limit: Int = 1): [Node]
    items(first: Int = 1): [Small]
    dear: Int
    weigh(x: Int): Int
    page: Nodes
    assumed: [Node] @listSize(assumedSize: 1)
    least: [Node] @listSize(assumedSize: 1)
    codes: [Int]
  }
  type Large implements Node {
    feed(limit: Int = 100): [Node]
    items(first: Int = 50): [Large]
    dear: Int @cost(weight: "7")
    weigh(x: Int @cost(weight: "4"), more: Int): Int
    page(first: Int = 30): Nodes
    assumed: [Node] @listSize(assumedSize: 40)
    least: [Node] @listSize(assumedSize: 1)
    codes(first: Int = 60): [Int]
  }
  type Nodes { nodes: [Node] }
  union Either = Small | Large
  input Wide { ${many(250)
    .map((_, at) => `f${at}: Int`)
    .join(' ')}  inner: Wide }
  input Window { limit: Int  ids: [ID]  where: Window  any: [Window]  meta: Any }
  input Paged { first: Int = 40 }
  input Outer { paged: Paged = {} }
  input Called { first: String  last: String! }
  input Named2 { first: [String]  take: Int }
  input Grouped { of: [[ID]]  any: [[Grouped]] }
  input Preset { of: [[ID]] = [[${ids(8)}] [${ids(7)}]] }
  type Query {
    a: Int
    windowed(window: Window, limit: Int): [Person]
    windowedBy(windows: [Window!]): [Person]
    windowedByDefault(window: Window = { limit: 25 }): [Person]
    paged(paged: Paged): [Person]
    outer(outer: Outer): [Person]
    windowedConnection(window: Window): Connection
    notSized(window: Window): [Person] @listSize(slicingArguments: [])
    called(name: Called): Connection
    windowedIds(window: Window): [Int]
    listed(names: Named2): [Person]
    taken2(names: Named2): [Person] @listSize(slicingArguments: ["names.take"])
    person: Person
    named: Named
    being: Being
    people(limit: Int): [Person!]!
    matrix: [[Person]]
    matrixOf(limit: Int): [[Person!]!]!
    cube: [[[Person]]] @listSize(assumedSize: 30)
    table(first: Int): [[Int]]
    byIds(ids: [ID!]!): [Person]
    byIdsAtMost(ids: [ID!], limit: Int): [Person]
    byIdsAssumed(ids: [ID]): [Person] @listSize(assumedSize: 5)
    byIdsUsually(ids: [ID] = [${ids(15)}]): [Person]
    byIdsCounted(ids: [ID]): [Person] @listSize(assumedSize: 5, slicingArguments: ["ids"])
    byIdsCountedUsually(ids: [ID] = [${ids(15)}]): [Person] @listSize(assumedSize: 5, slicingArguments: ["ids"])
    byGroups(groups: [[ID]]): [Person]
    byGroupsUsually(groups: [[ID]] = [[${ids(8)}] [${ids(7)}]]): [Person]
    byBoxes(boxes: [[[ID!]!]!]!): [Person]
    byGrouped(grouped: Grouped): [Person]
    byAllGrouped(all: [[Grouped]]): [Person]
    byPreset(preset: Preset): [Person]
    personOf(ids: [ID]): Person
    node: Node
    inner: Inner
    either: Either
    byDefault(first: Int = 3): [Person]
    ends(first: Int, last: Int): [Person]
    taken(take: Int, limit: Int): [Person]
    float(first: Float): [Person]
    text(first: String): [Person]
    any(first: Any): [Person]
    numbers(first: Int): [Int]
    idlers: [Idle]
    connection(first: Int, last: Int): Connection
    connectionByDefault(first: Int = 4): Connection
    assumed: [Person] @listSize(assumedSize: 50)
    assumedOr(first: Int): [Person] @listSize(assumedSize: 50)
    counted(count: Int, limit: Int): [Person] @listSize(slicingArguments: ["count"])
    countedAlone(count: Int): [Person] @listSize(slicingArguments: "count")
    sized(count: Int): Connection @listSize(slicingArguments: ["count"], sizedFields: ["hits", "page"])
    sizedNodes(count: Int): Connection
      @listSize(slicingArguments: ["count"], sizedFields: ["nodes"])
    sizedAssumed: Connection @listSize(assumedSize: 7, sizedFields: ["hits"])
    pages(limit: Int): [Connection] @listSize(sizedFields: ["hits"])
    layer(first: Int, last: Int): Layer
    layerByDefault(first: Int = 25): Layer
    layerOf(ids: [ID]): Layer
    layerBy(window: Window): Layer
    layerAssumed: Layer @listSize(assumedSize: 50)
    layerNamed(count: Int): Layer @listSize(slicingArguments: ["count"], sizedFields: ["inner.hits"])
    layerSized(count: Int): Layer @listSize(slicingArguments: ["count"], sizedFields: ["inner"])
    layerAny(first: Any): Layer
    dear: Int @cost(weight: "5")
    dearPeople(limit: Int): [Person] @cost(weight: "5")
    free: Int @cost(weight: "0")
    half: Int @cost(weight: "0.5")
    negative: Int @cost(weight: "-5")
    noWeight: Int @cost(weight: "much")
    weighed(x: Int @cost(weight: "3"), y: Int = 1 @cost(weight: "4")): Int
  }
  type Mutation { rename: Person }
`

interface Row {
  readonly query: string
  readonly cost: number
  readonly variables?: object
  readonly options?: Partial<Options>
}

const huge = Number.MAX_SAFE_INTEGER

const rows: readonly (readonly [title: string, ...(readonly Row[])])[] = [
  ['each field is 1', { query: '{ a }', cost: 1 }, { query: '{ a person { name } }', cost: 3 }],
  ['a field counts as often as it is asked for', { query: '{ a b: a a }', cost: 3 }],
  ['mutations too', { query: 'mutation { rename { name } }', cost: 2 }],
  ['a list without arguments is 10 long', { query: '{ people { name } }', cost: 11 }],
  [
    'sizes stand in input objects too',
    { query: '{ windowed(window: { limit: 50 }) { name } }', cost: 52 },
    { query: '{ windowed(window: { limit: 5 }) { name } }', cost: 12 },
    { query: '{ windowed(window: { limit: 0 }) { name } }', cost: 12 },
    { query: '{ taken2(names: { take: 5 }) { name } }', cost: 12 },
    { query: '{ notSized(window: { limit: 50 }) { name } }', cost: 12 },
    { query: '{ windowedConnection(window: { limit: 0 }) { hits { name } } }', cost: 13 },
    { query: '{ called(name: { first: "1", last: "2" }) { ids } }', cost: 4 },
    { query: '{ windowed(window: { where: { limit: 50 } }) { name } }', cost: 53 },
    { query: '{ windowed(window: { any: [{ limit: 50 }] }) { name } }', cost: 54 },
    { query: '{ windowed(window: { limit: 5 }, limit: 50) { name } }', cost: 52 },
    { query: '{ windowed(window: { limit: -1 }) { name } }', cost: 12 },
    { query: '{ windowedBy(windows: [{ limit: 5 }, { limit: 50 }]) { name } }', cost: 55 },
    { query: '{ windowedBy(windows: { limit: 50 }) { name } }', cost: 52 },
    { query: '{ windowedIds(window: { limit: 50 }) }', cost: 52 },
    { query: '{ windowedConnection(window: { limit: 50 }) { hits { name } } }', cost: 53 },
    { query: '{ listed(names: { first: "50" }) { name } }', cost: 12 },
    { query: '{ taken2(names: { take: 50 }) { name } }', cost: 52 },
    {
      query: 'query ($w: Window) { windowed(window: $w) { name } }',
      variables: { w: { where: { limit: 50 } } },
      cost: 51,
    },
    {
      query: 'query ($n: Int = 50) { windowed(window: { limit: $n }) { name } }',
      cost: 52,
    },
    {
      query: 'query ($n: Int = 5) { windowed(window: { limit: $n }) { name } }',
      variables: { n: 50 },
      cost: 52,
    },
    {
      query: 'query ($w: [Window!] = [{ limit: 50 }]) { windowedBy(windows: $w) { name } }',
      cost: 51,
    },
    {
      query:
        'query ($w: Window) { a: windowed(window: $w) { name } b: windowed(window: $w) { name } }',
      variables: { w: { limit: 50 } },
      cost: 102,
    },
  ],
  [
    'and by default',
    { query: '{ windowedByDefault { name } }', cost: 26 },
    { query: '{ windowedByDefault(window: {}) { name } }', cost: 11 },
    { query: '{ windowedByDefault(window: null) { name } }', cost: 11 },
    { query: '{ paged { name } }', cost: 11 },
    { query: '{ paged(paged: {}) { name } }', cost: 41 },
    { query: '{ paged(paged: { first: null }) { name } }', cost: 12 },
    { query: '{ outer(outer: {}) { name } }', cost: 41 },
    {
      query:
        'query ($p: Paged, $n: Int) { a: paged(paged: $p) { name } b: paged(paged: { first: $n }) { name } }',
      variables: { p: {} },
      cost: 41 + 42,
    },
    {
      query: 'query ($p: Paged!) { paged(paged: $p) { name } }',
      variables: { p: { first: 60 } },
      cost: 61,
    },
  ],
  [
    'lists of ids in input objects are the length of a list',
    { query: `{ windowed(window: { ids: [${ids(12)}] }) { name } }`, cost: 1 + 13 + 12 },
    { query: `{ windowed(window: { ids: [${ids(12)}], limit: 3 }) { name } }`, cost: 1 + 14 + 12 },
    {
      query: 'query ($w: Window) { windowed(window: $w) { name } }',
      variables: { w: { any: [{ ids: Array.from({ length: 70 }, String) }] } },
      cost: 71,
    },
    {
      query: 'query ($i: [ID]) { windowed(window: { ids: $i }) { name } }',
      variables: { i: Array.from({ length: 70 }, String) },
      cost: 72,
    },
  ],
  [
    'each list within a list is 10 long',
    { query: '{ matrix { name } }', cost: 101 },
    { query: '{ matrixOf(limit: 5) { name } }', cost: 51 },
    { query: '{ matrixOf(limit: 0) { name } }', cost: 1 },
    { query: '{ matrixOf(limit: 0) { name } }', options: { costListSize: Infinity }, cost: 1 },
    { query: '{ matrixOf(limit: 5) { name } }', options: { costListSize: 3 }, cost: 16 },
    { query: '{ matrixOf(limit: 99) { name } }', options: { costMaxListSize: 4 }, cost: 17 },
    { query: '{ cube { name } }', cost: 3001 },
    { query: '{ table(first: 5) }', cost: 51 },
  ],
  [
    'a list of what a list of ids names is as long, or longer',
    { query: `{ byIds(ids: [${ids(2)}]) { name } }`, cost: 1 + 2 + 10 },
    { query: `{ byIds(ids: [${ids(15)}]) { name } }`, cost: 1 + 15 + 15 },
    { query: '{ byIds(ids: "1") { name } }', cost: 11 },
    {
      query: 'query ($ids: [ID!]!) { byIds(ids: $ids) { name } }',
      variables: { ids: [] },
      cost: 11,
    },
    {
      query: 'query ($ids: [ID!]!) { byIds(ids: $ids) { name } }',
      variables: { ids: Array.from({ length: 1000 }, () => '1') },
      cost: 1001,
    },
    { query: `query ($ids: [ID!] = [${ids(15)}]) { byIdsAtMost(ids: $ids) { name } }`, cost: 16 },
    {
      query: `query ($ids: [ID!] = [${ids(15)}]) { byIdsAtMost(ids: $ids) { name } }`,
      variables: { ids: null },
      cost: 11,
    },
    { query: 'query ($ids: [ID!]) { byIdsAtMost(ids: $ids) { name } }', cost: 11 },
    { query: `{ byIdsAtMost(ids: [${ids(15)}], limit: 3) { name } }`, cost: 1 + 15 + 3 },
    { query: `{ byIdsAtMost(ids: [${ids(15)}], limit: -1) { name } }`, cost: 1 + 15 + 15 },
    { query: `{ byIdsAssumed(ids: [${ids(15)}]) { name } }`, cost: 1 + 15 + 5 },
    { query: `{ byIds(ids: [${ids(15)}]) { name } }`, options: { costMaxListSize: 4 }, cost: 20 },
    { query: `{ personOf(ids: [${ids(15)}]) { name } }`, cost: 1 + 15 + 1 },
  ],
  [
    'lists within a list argument count together',
    { query: `{ byGroups(groups: [[${ids(8)}] [${ids(7)}]]) { name } }`, cost: 1 + 17 + 15 },
    { query: `{ byGroups(groups: [${ids(15)}]) { name } }`, cost: 1 + 15 + 15 },
    { query: `{ byGroups(groups: [[${ids(12)}] "12" null []]) { name } }`, cost: 1 + 16 + 15 },
    { query: '{ byGroups(groups: "1") { name } }', cost: 11 },
    {
      query: 'query ($v: [[ID]]) { byGroups(groups: $v) { name } }',
      variables: { v: [many(400), many(600)] },
      cost: 1001,
    },
    {
      query: 'query ($v: [[ID]]) { byGroups(groups: $v) { name } }',
      variables: { v: [many(400), 'one', null, []] },
      cost: 404,
    },
    {
      query: 'query ($v: [ID], $w: [ID], $x: [ID]) { byGroups(groups: [$v $w $x]) { name } }',
      variables: { v: many(400), w: 'one' },
      cost: 1 + 3 + 402,
    },
    {
      query: `query ($v: [ID] = [${ids(12)}]) { byGroups(groups: [$v $v]) { name } }`,
      cost: 1 + 2 + 24,
    },
    {
      query: `query ($v: [[ID]] = [[${ids(12)}] [${ids(12)}]]) { byGroups(groups: $v) { name } }`,
      cost: 1 + 24,
    },
    {
      query: 'query ($v: [[[ID!]!]!]!) { byBoxes(boxes: $v) { name } }',
      variables: { v: [[many(20), many(30)], [many(50)]] },
      cost: 101,
    },
    {
      query: 'query ($v: [[ID!]!]!, $w: [ID!]!) { byBoxes(boxes: [$v [$w $w]]) { name } }',
      variables: { v: [many(20), many(30)], w: many(10) },
      cost: 1 + 4 + 70,
    },
  ],
  [
    'lists within a list of an input object count together',
    {
      query: `{ byGrouped(grouped: { of: [[${ids(8)}] [${ids(7)}]] }) { name } }`,
      cost: 1 + 18 + 15,
    },
    {
      query: 'query ($v: Grouped) { byGrouped(grouped: $v) { name } }',
      variables: { v: { of: [many(400), many(600)] } },
      cost: 1001,
    },
    {
      query: 'query ($v: [[ID]]) { byGrouped(grouped: { of: $v }) { name } }',
      variables: { v: [many(400), many(600)] },
      cost: 1 + 1 + 1000,
    },
    {
      query: 'query ($v: [ID]) { byGrouped(grouped: { of: [$v $v] }) { name } }',
      variables: { v: many(400) },
      cost: 1 + 3 + 800,
    },
    {
      query: 'query ($v: Grouped) { byGrouped(grouped: $v) { name } }',
      variables: { v: { any: [[{ of: ['1'] }, ...many(40).map(() => ({}))], [{}]] } },
      cost: 43 + 5,
    },
    {
      query: 'query ($v: [[Grouped]]) { byAllGrouped(all: $v) { name } }',
      variables: { v: [many(20).map(() => ({})), many(30).map(() => ({}))] },
      cost: 1 + 50 + 6,
    },
    {
      query: 'query ($v: [Grouped]) { byAllGrouped(all: [$v $v]) { name } }',
      variables: { v: many(20).map(() => ({})) },
      cost: 1 + 2 + 40 + 2,
    },
    {
      query: 'query ($v: [[Grouped]]) { byAllGrouped(all: $v) { name } }',
      variables: { v: [[{ of: [many(40), many(30)] }]] },
      cost: 71,
    },
  ],
  [
    'the default of a list argument is as long as one that is given',
    { query: '{ byIdsUsually { name } }', cost: 16 },
    { query: '{ byIdsUsually(ids: []) { name } }', cost: 11 },
    { query: '{ byIdsUsually(ids: null) { name } }', cost: 11 },
    { query: 'query ($v: [ID]) { byIdsUsually(ids: $v) { name } }', cost: 16 },
    {
      query: 'query ($v: [ID]) { byIdsUsually(ids: $v) { name } }',
      variables: { v: null },
      cost: 11,
    },
    { query: '{ byGroupsUsually { name } }', cost: 16 },
    { query: '{ byIdsCountedUsually { name } }', cost: 16 },
    { query: '{ byPreset(preset: {}) { name } }', cost: 16 },
    { query: 'query ($v: [[ID]]) { byPreset(preset: { of: $v }) { name } }', cost: 1 + 1 + 15 },
  ],
  [
    'a size argument that is a list gives its length',
    {
      query: '{ byIds(ids: 0) { name } }',
      options: { costSizeArguments: ['ids'] },
      cost: 11,
    },
    {
      query: '{ byIds(ids: 500) { name } }',
      options: { costSizeArguments: ['ids'] },
      cost: 11,
    },
    {
      query: 'query ($v: [[ID]]) { byGroups(groups: $v) { name } }',
      variables: { v: [many(400), many(600)] },
      options: { costSizeArguments: ['groups'] },
      cost: 1001,
    },
    { query: `{ byIdsCounted(ids: [${ids(15)}]) { name } }`, cost: 1 + 15 + 15 },
    { query: '{ byIdsCounted { name } }', cost: 6 },
    { query: '{ byIdsCounted(ids: null) { name } }', cost: 6 },
  ],
  [
    'for an interface the most expensive declaration counts',
    { query: '{ node { feed { __typename } } }', cost: 1 + 1 + 100 },
    { query: '{ node { feed(limit: 3) { __typename } } }', cost: 1 + 1 + 3 },
    { query: '{ node { feed(limit: null) { __typename } } }', cost: 1 + 1 + 10 },
    { query: '{ node { feed { feed { feed { __typename } } } } }', cost: 1_010_102 },
    { query: '{ node { items { __typename } } }', cost: 1 + 1 + 50 },
    { query: '{ node { items { items { dear } } } }', cost: 1 + 1 + 50 * (1 + 50 * 7) },
    { query: '{ node { dear } }', cost: 1 + 7 },
    { query: '{ node { weigh } }', cost: 1 + 1 },
    { query: '{ node { weigh(x: 1) } }', cost: 1 + 1 + 4 },
    { query: '{ node { page { nodes { __typename } } } }', cost: 1 + 1 + 1 + 30 },
    { query: '{ node { assumed { __typename } } }', cost: 1 + 1 + 40 },
    { query: '{ node { least { __typename } } }', cost: 1 + 1 + 2 },
    { query: '{ node { codes } }', cost: 1 + 1 + 60 },
  ],
  [
    'the size of the most expensive declaration by variables',
    { query: 'query ($n: Int) { node { feed(limit: $n) { __typename } } }', cost: 102 },
    {
      query: 'query ($n: Int) { node { feed(limit: $n) { __typename } } }',
      variables: { n: 5 },
      cost: 7,
    },
    {
      query: 'query ($n: Int) { node { feed(limit: $n) { __typename } } }',
      variables: { n: null },
      cost: 12,
    },
    { query: 'query ($n: Int = 2) { node { feed(limit: $n) { __typename } } }', cost: 4 },
  ],
  [
    'a fragment on a type counts its declaration, also of an interface and of a union',
    { query: '{ node { ... on Small { feed { __typename } } } }', cost: 1 + 1 + 1 },
    { query: '{ node { ... on Large { feed { __typename } } } }', cost: 1 + 1 + 100 },
    {
      query:
        '{ node { ... on Small { feed { __typename } } ... on Large { feed { __typename } } } }',
      cost: 1 + 101,
    },
    { query: '{ either { __typename } }', cost: 2 },
    { query: '{ either { ... on Small { dear } } }', cost: 2 },
    { query: '{ either { ... on Node { dear } } }', cost: 8 },
    { query: '{ either { ...F } } fragment F on Node { feed { __typename } }', cost: 102 },
    { query: '{ either { ... on Inner { feed { __typename } } } }', cost: 3 },
  ],
  [
    'interfaces of interfaces',
    { query: '{ inner { feed { __typename } dear } }', cost: 1 + 2 + 1 },
    { query: '{ inner { feed { feed { __typename } } } }', cost: 1 + 1 + 1 + 100 },
    { query: '{ node { ... on Inner { dear } } }', cost: 2 },
  ],
  ['a list of leaves is a field', { query: '{ person { tags } }', cost: 2 }],
  [
    'the example of the documentation',
    { query: '{ people(limit: 20) { name friends { name } } }', cost: 241 },
  ],
  [
    'products of products',
    {
      query: '{ people(limit: 3) { friends(limit: 4) { friends(limit: 5) { name } } } }',
      cost: 76,
    },
  ],
  [
    'literals',
    { query: '{ people(limit: 4) { name } }', cost: 5 },
    { query: '{ ends(last: 4) { name } }', cost: 5 },
  ],
  [
    'the largest of several sizes',
    { query: '{ ends(first: 2, last: 4) { name } }', cost: 5 },
    { query: '{ ends(first: 4, last: 2) { name } }', cost: 5 },
  ],
  ['a size of 0', { query: '{ people(limit: 0) { name friends { name } } }', cost: 1 }],
  [
    'variables',
    { query: 'query ($n: Int) { people(limit: $n) { name } }', variables: { n: 4 }, cost: 5 },
    { query: 'query ($n: Int) { people(limit: $n) { name } }', variables: { n: 0 }, cost: 1 },
    { query: 'query ($n: Int) { people(limit: $n) { name } }', variables: { n: null }, cost: 11 },
    { query: 'query ($n: Int) { people(limit: $n) { name } }', variables: {}, cost: 11 },
    { query: 'query ($n: Int) { people(limit: $n) { name } }', cost: 11 },
    { query: 'query ($toString: Int = 4) { people(limit: $toString) { name } }', cost: 5 },
    {
      query: 'query ($n: Int) { ...f } fragment f on Query { people(limit: $n) { name } }',
      variables: { n: 2 },
      cost: 3,
    },
  ],
  [
    'defaults of variables',
    { query: 'query ($n: Int = 4) { people(limit: $n) { name } }', cost: 5 },
    { query: 'query ($n: Int = 4) { people(limit: $n) { name } }', variables: { n: 2 }, cost: 3 },
    {
      query: 'query ($n: Int = 4) { people(limit: $n) { name } }',
      variables: { n: null },
      cost: 11,
    },
    { query: 'query ($n: Int = 4) { byDefault(first: $n) { name } }', cost: 5 },
    { query: 'query ($n: Int = null) { byDefault(first: $n) { name } }', cost: 11 },
  ],
  [
    'defaults of arguments',
    { query: '{ byDefault { name } }', cost: 4 },
    { query: '{ byDefault(first: 5) { name } }', cost: 6 },
    { query: 'query ($n: Int) { byDefault(first: $n) { name } }', cost: 4 },
    { query: 'query ($n: Int) { byDefault(first: $n) { name } }', variables: { n: 7 }, cost: 8 },
  ],
  [
    'what says nothing is 10, also where there is a default',
    { query: '{ people(limit: null) { name } }', cost: 11 },
    { query: '{ people(limit: -1) { name } }', cost: 11 },
    { query: '{ byDefault(first: null) { name } }', cost: 11 },
    { query: '{ byDefault(first: -1) { name } }', cost: 11 },
    {
      query: 'query ($n: Int) { byDefault(first: $n) { name } }',
      variables: { n: null },
      cost: 11,
    },
    { query: 'query ($n: Int) { byDefault(first: $n) { name } }', variables: { n: -1 }, cost: 11 },
    { query: '{ ends(first: -1, last: 2) { name } }', cost: 11 },
    { query: '{ ends(first: -1, last: 20) { name } }', cost: 21 },
    { query: '{ ends(first: null, last: 2) { name } }', cost: 3 },
    { query: '{ ends(first: null, last: null) { name } }', cost: 11 },
  ],
  [
    'sizes of other types',
    { query: '{ float(first: 4) { name } }', cost: 5 },
    { query: '{ float(first: 2.5) { name } }', cost: 4 },
    { query: '{ float(first: 1e6) { name } }', cost: 1_000_001 },
    { query: 'query ($n: Float) { float(first: $n) { name } }', variables: { n: 2.5 }, cost: 4 },
    { query: '{ float(first: 0.5) { name } }', cost: 2 },
    { query: '{ float(first: 1e-9) { name } }', cost: 2 },
    { query: '{ float(first: 0) { name } }', cost: 1 },
    { query: '{ float(first: -0.5) { name } }', cost: 11 },
    { query: 'query ($n: Float) { float(first: $n) { name } }', variables: { n: 0.5 }, cost: 2 },
    { query: 'query ($n: Float = 1.5) { float(first: $n) { name } }', cost: 3 },
    { query: '{ text(first: "many") { name } }', cost: 11 },
    { query: '{ text(first: " ") { name } }', cost: 11 },
    { query: '{ any(first: 0.5) { name } }', cost: 2 },
    { query: '{ any(first: 99999e-5) { name } }', cost: 100_000 },
    { query: 'query ($n: Any) { any(first: $n) { name } }', variables: { n: 1.5 }, cost: 3 },
    { query: '{ any(first: { n: 4 }) { name } }', cost: 12 },
    { query: 'query ($n: Any) { any(first: $n) { name } }', variables: { n: [4] }, cost: 11 },
    { query: 'query ($n: Any) { any(first: $n) { name } }', variables: { n: true }, cost: 11 },
  ],
  [
    'text makes a list longer and never shorter, since scalars read it in their own ways',
    { query: '{ text(first: "4") { name } }', cost: 11 },
    { query: '{ text(first: "0") { name } }', cost: 11 },
    { query: '{ text(first: "50") { name } }', cost: 51 },
    { query: '{ text(first: "49.5") { name } }', cost: 51 },
    { query: '{ text(first: "50 of them") { name } }', cost: 51 },
    { query: '{ text(first: "99999e-5") { name } }', cost: 100_000 },
    { query: '{ text(first: "NaN") { name } }', cost: 11 },
    { query: '{ text(first: "Infinity") { name } }', cost: huge + 1 },
    { query: '{ any(first: LEAST) { name } }', cost: 11 },
    { query: 'query ($n: String) { text(first: $n) { name } }', variables: { n: '4' }, cost: 11 },
    { query: 'query ($n: String) { text(first: $n) { name } }', variables: { n: '50' }, cost: 51 },
  ],
  [
    'huge sizes',
    { query: '{ people(limit: 2147483647) { name } }', cost: 2 ** 31 },
    // One that costs nothing as text.
    { query: `{ any(first: ${'9'.repeat(99)}) { free: name } }`, cost: huge + 1 },
    {
      query: 'query ($n: Any) { any(first: $n) { name } }',
      variables: { n: 1e308 },
      cost: huge + 1,
    },
  ],
  [
    'a connection passes its size on to the lists directly below',
    { query: '{ connection(first: 5) { edges { node { name } } } }', cost: 12 },
    { query: '{ connection(last: 5) { edges { node { friends { name } } } } }', cost: 62 },
    {
      query: '{ connection(first: 2, last: 5) { edges { node { name } } page { from } } }',
      cost: 14,
    },
    { query: '{ connection { edges { node { name } } } }', cost: 22 },
    { query: '{ connectionByDefault { edges { node { name } } } }', cost: 10 },
    {
      query: 'query ($n: Int) { connection(first: $n) { edges { node { name } } } }',
      variables: { n: 2 },
      cost: 6,
    },
    { query: '{ connection(first: 0) { edges { node { name } } } }', cost: 4 },
    { query: '{ layer(first: 0) { hits { friends(limit: 100) { name } } } }', cost: 2 + 1 + 100 },
    { query: '{ sized(count: 0) { hits { name } } }', cost: 2 },
    { query: '{ connection(first: 2) { edges { node { name } } hits { name } } }', cost: 9 },
    { query: '{ connection(first: 5) { nodes(first: 2) { name } } }', cost: 4 },
    { query: '{ connection(first: 5) { nodes { name } } }', cost: 12 },
    { query: '{ connection(first: 5000) { ids } }', cost: 5002 },
    { query: '{ connection { ids } }', cost: 12 },
    { query: '{ sized(count: 5) { ids } }', cost: 2 },
  ],
  [
    'and what else is said of a list there only makes it longer',
    { query: '{ connection(first: 50) { nodes { name } } }', cost: 52 },
    { query: '{ connection(first: 50) { nodes(first: null) { name } } }', cost: 52 },
    { query: '{ connection(first: 50) { nodes(first: -1) { name } } }', cost: 52 },
    { query: '{ layer(first: 5) { assumed { name } } }', cost: 52 },
    { query: '{ layer(first: 60) { assumed { name } } }', cost: 62 },
    { query: `{ layer(first: 5) { byIds(ids: [${ids(15)}]) { name } } }`, cost: 2 + 15 + 15 },
    { query: `{ layer(first: 5) { byIds(ids: [${ids(3)}]) { name } } }`, cost: 2 + 3 + 5 },
    { query: '{ layer(first: 50) { edges { node { name } } hits { name } } }', cost: 153 },
  ],
  [
    'a size reaches lists through objects that are not lists, and only makes them longer',
    { query: '{ layer(first: 100000) { inner { edges { __typename } } } }', cost: 100_003 },
    { query: '{ layer(last: 50) { inner { inner { inner { hits { name } } } } } }', cost: 55 },
    {
      query: '{ layer(first: 50) { inner { hits { name } edges { node { name } } } } }',
      cost: 154,
    },
    { query: '{ layer(first: 5) { inner { hits { name } } } }', cost: 13 },
    { query: '{ layer(first: 0) { inner { hits { name } } } }', cost: 13 },
    { query: '{ layer(first: null) { inner { hits { name } } } }', cost: 13 },
    { query: '{ layer(first: -1) { inner { hits { name } } } }', cost: 13 },
    { query: '{ layer { inner { hits { name } } } }', cost: 13 },
    { query: '{ layerByDefault { inner { hits { name } } } }', cost: 28 },
    { query: '{ layerByDefault(first: 5) { inner { hits { name } } } }', cost: 13 },
    { query: '{ layer(first: 50) { inner { assumed { name } } } }', cost: 53 },
    { query: '{ layer(first: 60) { inner { assumed { name } } } }', cost: 63 },
    { query: '{ layer(first: 50) { inner { table { name } } } }', cost: 503 },
    { query: '{ layer(first: 50) { inner { ids } } }', cost: 53 },
    { query: '{ layer(first: 5) { inner { ids } } }', cost: 8 },
    { query: '{ layer { inner { ids } } }', cost: 3 },
    {
      query: '{ layer(first: 50) { inner { hits { name } } } }',
      options: { costMaxListSize: 20 },
      cost: 23,
    },
    {
      query: 'query ($n: Int) { layer(first: $n) { inner { hits { name } } } }',
      variables: { n: 50 },
      cost: 53,
    },
    {
      query: 'query ($n: Int = 40) { layer(first: $n) { inner { hits { name } } } }',
      cost: 43,
    },
    { query: '{ layerAny(first: "50") { inner { hits { name } } } }', cost: 53 },
    { query: '{ layerAny(first: 49.5) { inner { hits { name } } } }', cost: 53 },
  ],
  [
    'a size argument of a list below says its length, and what is above goes on to a list that takes it',
    { query: '{ layer(first: 50) { inner { nodes(first: 5) { name } } } }', cost: 8 },
    { query: '{ layer(first: 50) { inner { nodes { name } } } }', cost: 53 },
    { query: '{ layer(first: 50) { groups(limit: 2) { hits { name } } } }', cost: 2 + 2 * 51 },
    { query: '{ layer(first: 50) { groups(limit: 60) { hits { name } } } }', cost: 2 + 60 * 11 },
    { query: '{ layer(first: 50) { groups { hits { name } } } }', cost: 2 + 50 * 11 },
    { query: '{ layer(first: 50) { paged(first: 2) { hits { name } } } }', cost: 5 },
    { query: '{ layer(first: 50) { paged(first: 2) { inner { hits { name } } } } }', cost: 54 },
    { query: '{ layer(first: 50) { paged { hits { name } } } }', cost: 53 },
    { query: '{ layer(first: 5) { paged { hits { name } } } }', cost: 13 },
    { query: '{ layer(first: 2) { paged(first: 50) { inner { hits { name } } } } }', cost: 54 },
  ],
  [
    'a list that has taken a size does not pass it on',
    { query: '{ layer(first: 50) { edges { node { friends { name } } } } }', cost: 2 + 50 * 12 },
    { query: '{ layer(first: 50) { inner { hits { friends { name } } } } }', cost: 3 + 50 * 11 },
    {
      query:
        '{ connection(first: 50) { edges { node { friends(limit: 10) { name } } } page { from } } }',
      cost: 1 + 1 + 50 * (1 + 1 + 10) + 2,
    },
  ],
  [
    'sizes reach through fragments, interfaces, unions and aliases',
    {
      query:
        '{ layer(first: 50) { ... { inner { ...F } } } } fragment F on Layer { hits { name } }',
      cost: 53,
    },
    {
      query:
        '{ a: layer(first: 50) { inner { ...F } } b: layer(first: 20) { inner { ...F } } layerNamed { ...F } } fragment F on Layer { hits { name } }',
      cost: 53 + 23 + 12,
    },
    { query: '{ layer(first: 50) { layered { edges { __typename } } } }', cost: 53 },
    { query: '{ layer(first: 50) { layered { ... on Layer { hits { name } } } } }', cost: 53 },
    { query: '{ layer(first: 50) { either { ... on Layer { hits { name } } } } }', cost: 53 },
    { query: '{ layer(first: 50) { i: inner { h: hits { name } } } }', cost: 53 },
  ],
  [
    'what an input object, a list of ids and an assumed size say reaches lists too',
    { query: '{ layerBy(window: { limit: 50 }) { inner { hits { name } } } }', cost: 54 },
    { query: '{ layerBy(window: { limit: 1 }) { inner { hits { name } } } }', cost: 14 },
    { query: `{ layerOf(ids: [${ids(15)}]) { edges { __typename } } }`, cost: 2 + 15 + 15 },
    { query: `{ layerOf(ids: [${ids(2)}]) { edges { __typename } } }`, cost: 2 + 2 + 10 },
    {
      query: 'query ($ids: [ID]) { layerOf(ids: $ids) { inner { hits { name } } } }',
      variables: { ids: Array.from({ length: 1000 }, String) },
      cost: 1003,
    },
    {
      query: 'query ($w: Window) { layerBy(window: $w) { hits { name } } }',
      variables: { w: { ids: Array.from({ length: 70 }, String) } },
      cost: 72,
    },
    { query: '{ layerAssumed { edges { __typename } } }', cost: 52 },
    { query: '{ layerAssumed { nodes(first: 2) { name } } }', cost: 4 },
  ],
  [
    'also through fragments, each by its place',
    { query: '{ connection(first: 5) { ... { edges { node { name } } } } }', cost: 12 },
    {
      query:
        '{ connection(first: 5) { ... on Connection { ...f } } } fragment f on Connection { edges { node { name } } }',
      cost: 12,
    },
    {
      query:
        '{ x: connection(first: 2) { ...f } y: connection(first: 3) { ...f } sized { ...f } } fragment f on Connection { hits { name } }',
      cost: 4 + 5 + 12,
    },
    {
      query:
        '{ x: connection(first: 3) { ...f } sized(count: 3) { ...f } } fragment f on Connection { edges { node { name } } }',
      cost: 8 + 22,
    },
  ],
  [
    'costListSize',
    { query: '{ people { name } }', options: { costListSize: 3 }, cost: 4 },
    { query: '{ people { name } }', options: { costListSize: 0 }, cost: 1 },
    { query: '{ people { name } }', options: { costListSize: Infinity }, cost: Infinity },
    { query: '{ idlers { free } }', options: { costListSize: Infinity }, cost: 1 },
    {
      query: '{ people(limit: 0) { friends { name } } }',
      options: { costListSize: Infinity },
      cost: 1,
    },
    { query: '{ people(limit: 2) { name } }', options: { costListSize: 3 }, cost: 3 },
    { query: '{ assumed { name } }', options: { costListSize: 3 }, cost: 51 },
  ],
  [
    'costMaxListSize',
    { query: '{ people(limit: 1000000) { name } }', options: { costMaxListSize: 100 }, cost: 101 },
    { query: '{ people(limit: 99) { name } }', options: { costMaxListSize: 100 }, cost: 100 },
    { query: '{ assumed { name } }', options: { costMaxListSize: 5 }, cost: 6 },
    { query: '{ people { name } }', options: { costMaxListSize: 5 }, cost: 6 },
  ],
  [
    'costSizeArguments',
    { query: '{ taken(take: 4) { name } }', cost: 11 },
    {
      query: '{ taken(take: 4, limit: 2) { name } }',
      options: { costSizeArguments: ['take'] },
      cost: 5,
    },
    { query: '{ people(limit: 4) { name } }', options: { costSizeArguments: [] }, cost: 11 },
    { query: '{ counted(count: 4) { name } }', options: { costSizeArguments: ['take'] }, cost: 5 },
  ],
  [
    '@listSize(assumedSize)',
    { query: '{ assumed { name } }', cost: 51 },
    { query: '{ assumedOr { name } }', cost: 51 },
    { query: '{ assumedOr(first: 2) { name } }', cost: 3 },
    { query: '{ assumedOr(first: null) { name } }', cost: 51 },
  ],
  [
    '@listSize(slicingArguments)',
    { query: '{ counted(count: 2) { name } }', cost: 3 },
    { query: '{ counted(limit: 2) { name } }', cost: 11 },
    { query: '{ counted(count: 4, limit: 2) { name } }', cost: 5 },
    { query: '{ countedAlone(count: 2) { name } }', cost: 3 },
  ],
  [
    '@listSize(sizedFields)',
    { query: '{ sized(count: 3) { hits { name } } }', cost: 5 },
    { query: '{ sized(count: 3) { page { from } } }', cost: 5 },
    { query: '{ sized(count: 3) { edges { node { name } } } }', cost: 22 },
    {
      query: '{ sized(count: 3) { ... { ...f } } } fragment f on Connection { hits { name } }',
      cost: 5,
    },
    { query: '{ sized { hits { name } } }', cost: 12 },
    { query: '{ sizedAssumed { hits { name } } }', cost: 9 },
    { query: '{ sizedNodes(count: 3) { nodes { name } } }', cost: 5 },
    { query: '{ sizedNodes(count: 3) { nodes(first: 2) { name } } }', cost: 5 },
    { query: '{ sizedNodes(count: 3) { nodes(first: 50) { name } } }', cost: 52 },
    { query: '{ sized(count: 3) { nodes(first: 50) { name } } }', cost: 52 },
    { query: '{ pages(limit: 3) { hits { name } page { from } } }', cost: 1 + 3 * (1 + 3 + 2) },
    { query: '{ layerNamed(count: 50) { inner { hits { name } } } }', cost: 53 },
    { query: '{ layerNamed(count: 5) { inner { hits { name } } } }', cost: 13 },
    { query: '{ layerNamed(count: 50) { inner { inner { edges { __typename } } } } }', cost: 14 },
    {
      query: '{ layerNamed(count: 50) { inner { groups { hits { name } } } } }',
      cost: 3 + 10 * 11,
    },
    { query: '{ layerNamed(count: 50) { inner { ids } } }', cost: 3 },
    { query: '{ layerSized(count: 50) { inner { hits { name } } } }', cost: 2 + 50 * 11 },
    { query: '{ layerSized(count: 50) { hits { name } } }', cost: 12 },
  ],
  [
    '@cost of fields',
    { query: '{ dear }', cost: 5 },
    { query: '{ free }', cost: 0 },
    { query: '{ half }', cost: 0.5 },
    { query: '{ negative }', cost: 1 },
    { query: '{ noWeight }', cost: 1 },
    { query: '{ dearPeople(limit: 3) { name } }', cost: 8 },
  ],
  [
    '@cost of arguments that are given',
    { query: '{ weighed }', cost: 1 },
    { query: '{ weighed(x: 1) }', cost: 4 },
    { query: '{ weighed(x: null, y: 2) }', cost: 8 },
    { query: 'query ($x: Int) { weighed(x: $x) }', cost: 4 },
  ],
  [
    'of fragments on several object types the most expensive type counts, and all others are added',
    { query: '{ being { ... on Person { name } ... on Robot { name serial } } }', cost: 3 },
    {
      query:
        '{ being { ... on Person { name } ... on Robot { name serial } ... on Person { tags } } }',
      cost: 3,
    },
    {
      query:
        '{ being { ...P ...R ...P } } fragment P on Person { name tags } fragment R on Robot { name serial friends { name } }',
      cost: 1 + 13,
    },
    {
      query:
        '{ being { ... on Named { ... on Person { name } } ... on Person { tags } ... on Robot { serial } } }',
      cost: 3,
    },
    { query: '{ person { ... on Person { name } ... on Person { name } ... { name } } }', cost: 4 },
    {
      query: '{ named { name ... on Robot { serial } ... on Named { friends { name } } } }',
      cost: 14,
    },
  ],
  [
    '@skip and @include are taken to include',
    { query: '{ a @skip(if: true) b: a @include(if: false) }', cost: 2 },
    { query: '{ ... @include(if: false) { people { name } } }', cost: 11 },
  ],
  [
    '__typename is a field like others, and introspection is free',
    { query: '{ __typename person { __typename name } }', cost: 4 },
    {
      query: '{ __schema { types { name fields { name } } } __type(name: "A") { name } }',
      cost: 0,
    },
    { query: '{ people(limit: 5) { __typename } }', cost: 6 },
  ],
  [
    'a list of scalars counts the size that an argument asks for',
    { query: '{ numbers(first: 50) }', cost: 51 },
    { query: '{ numbers }', cost: 11 },
    { query: '{ person { tags } }', cost: 2 },
  ],
  [
    'values within a literal are coerced again for each item of a list',
    { query: '{ people(limit: 3) { having(all: ["a", "b"]) } }', cost: 10 },
    { query: '{ people(limit: 3) { having(all: "a") } }', cost: 4 },
    { query: '{ any(first: { n: [1, 2, 3] }) { name } }', cost: 15 },
  ],
  [
    'so is each 100 fields of the type of an input object, present or not',
    { query: '{ people(limit: 3) { wide(of: {}) } }', cost: 1 + 3 * (1 + 2) },
    { query: '{ people(limit: 3) { wide(of: { f1: 1 }) } }', cost: 1 + 3 * (1 + 3) },
    { query: '{ people(limit: 3) { wide(of: [{}, { inner: {} }]) } }', cost: 1 + 3 * (1 + 9) },
  ],
  [
    'so is each 100 characters of text',
    { query: `{ people(limit: 3) { meta(of: "${'a'.repeat(99)}") } }`, cost: 1 + 3 },
    { query: `{ people(limit: 3) { meta(of: "${'a'.repeat(100)}") } }`, cost: 1 + 3 * 2 },
    { query: `{ people(limit: 3) { meta(of: ${'1'.repeat(350)}) } }`, cost: 1 + 3 * 4 },
    { query: `{ people(limit: 3) { meta(of: 0.${'1'.repeat(348)}) } }`, cost: 1 + 3 * 4 },
    { query: `{ people(limit: 3) { meta(of: ${'A'.repeat(350)}) } }`, cost: 1 + 3 * 4 },
    { query: `{ people(limit: 3) { having(all: ["${'a'.repeat(200)}"]) } }`, cost: 1 + 3 * 4 },
    { query: `{ people(limit: 3) { meta(of: { ${'a'.repeat(200)}: 1 }) } }`, cost: 1 + 3 * 4 },
  ],
  [
    'a variable is coerced once, but converted again within the literal of a scalar',
    ...[
      ['meta(of: { a: $v })', 1],
      ['metas(of: [[$v]])', 2],
      ['metas(of: { a: $v })', 1],
      ['about(window: { meta: [$v] })', 2],
    ].map(([field, members]): Row => ({
      query: `query ($v: Any) { people(limit: 3) { ${field} } }`,
      variables: { v: Array.from({ length: 399 }, () => 1) },
      cost: 1 + 3 * (1 + Number(members) + 4),
    })),
    ...['meta(of: $v)', 'metas(of: [$v])', 'about(window: { meta: $v })'].map((field): Row => ({
      query: `query ($v: Any) { people(limit: 3) { ${field} } }`,
      variables: { v: Array.from({ length: 399 }, () => 1) },
      cost: 1 + 3 * (field.startsWith('meta(') ? 1 : 2),
    })),
    {
      query: 'query ($v: Any) { people(limit: 3) { meta(of: { a: $v }) } }',
      variables: { v: { ['k'.repeat(9_800)]: 'a'.repeat(10_000) } },
      cost: 1 + 3 * (1 + 1 + 2),
    },
    {
      query: 'query ($v: Any = [1, [2]]) { people(limit: 3) { meta(of: { a: $v }) } }',
      cost: 1 + 3 * (1 + 1 + 3),
    },
  ],
  [
    'input objects of variables cost 1 for 100 fields of their types, with 10 more for each object',
    {
      query: 'query ($w: [Window!]) { windowedBy(windows: $w) { name } }',
      variables: { w: Array.from({ length: 40 }, () => ({})) },
      cost: 1 + 40 + 6,
    },
    {
      query: 'query ($w: Window) { notSized(window: $w) { name } }',
      variables: { w: { where: { any: Array.from({ length: 38 }, () => ({ limit: 1 })) } } },
      cost: 1 + 38 + 6,
    },
    { query: 'query ($w: Window) { a windowed(window: $w) { name } }', cost: 12 },
    {
      query: 'query ($w: Window) { a windowed(window: $w) { name } }',
      variables: { w: null },
      cost: 12,
    },
  ],
  [
    'a list of scalars is as long as a long list among its arguments',
    { query: `{ person { has(ids: [${ids(10)}]) } }`, cost: 1 + 1 + 10 },
    { query: `{ person { has(ids: [${ids(11)}]) } }`, cost: 1 + 1 + 11 + 11 },
    { query: `{ person { hasBy(window: { ids: [${ids(11)}] }) } }`, cost: 1 + 1 + 12 + 11 },
    { query: `{ person { hasAssumed(ids: [${ids(11)}]) } }`, cost: 1 + 1 + 11 },
    { query: `{ person { has(ids: [${ids(11)}]) } }`, options: { costMaxListSize: 4 }, cost: 17 },
    {
      query: 'query ($ids: [ID]) { people(limit: 3) { has(ids: $ids) } }',
      variables: { ids: Array.from({ length: 500 }, String) },
      cost: 1 + 3 * 501,
    },
    {
      query: 'query ($ids: [ID]) { layerOf(ids: $ids) { hits { name } } }',
      variables: { ids: Array.from({ length: 500 }, String) },
      cost: 1 + 1 + 500,
    },
  ],
]

const modules: readonly (readonly [title: string, options: Pick<Options, 'schema' | 'graphql'>])[] =
  [
    ['graphql 17', { schema: graphql.buildSchema(sdl) }],
    [
      'graphql 16',
      {
        schema: graphql16.buildSchema(sdl) as never,
        graphql: graphql16 as unknown as GraphQLModule,
      },
    ],
  ]

// oxfmt-ignore
const bulks: readonly (readonly [count: number, fields: number, line: object, status: number])[] = [
  [330_000, 3,  {},                      422],
  [345_000, 1,  {},                      422],
  [100_000, 1,  {},                      422],
  [90_000,  1,  {},                      200],
  [1000,    10, { f0: 1, f1: 2, f2: 3 }, 200],
  [10_000,  30, { f0: 1, f1: 2, f2: 3 }, 200],
]
for (const module of [graphql, graphql16 as unknown as typeof graphql]) {
  const { major } = module.versionInfo
  for (const [count, fields, line, status] of bulks) {
    void t.test(`${count} input objects of ${fields} fields: ${status} (${major})`, async (t) => {
      const names = Array.from({ length: fields }, (_, at) => `f${at}: Int`).join(' ')
      const schema = module.buildSchema(
        `input Line { ${names} } type Query { import(lines: [Line!]!): Int }`,
      )
      const send = testClient(createHandler({ schema, graphql: module }))
      const query = 'query ($lines: [Line!]!) { import(lines: $lines) }'
      const variables = { lines: Array<object>(count).fill(line) }
      const response = await send({ json: { query, variables } })
      t.equal(response.status, status, response.body.slice(0, 200))
    })
  }
}

/** What `admit` sees; nothing is executed. */
async function costOf({ query, variables, options }: Omit<Row, 'cost'>, base: Options) {
  let seen: number | undefined
  const send = testClient(
    createHandler({
      ...base,
      ...options,
      maxCost: Infinity,
      maxDefinitions: Infinity,
      admit: ({ cost }) => {
        seen = cost
        return { kind: 'forbidden' }
      },
    }),
  )
  const costs: unknown[] = []
  for (let round = 0; round < 2; round++) {
    const response = await send({ json: { query, variables } })
    if (response.status !== 403) return response.body
    costs.push(seen)
  }
  return costs
}

for (const [module, base] of modules) {
  for (const [title, ...costs] of rows) {
    void t.test(`${title} (${module})`, async (t) => {
      for (const row of costs) {
        const { query, variables, options, cost } = row
        const name = [query, variables, options].filter(Boolean).map((one) => JSON.stringify(one))
        t.strictSame(await costOf(row, base), [cost, cost], name.join(' '))
      }
    })
  }

  void t.test(`spreads within spreads are counted once for each size (${module})`, async (t) => {
    const levels = Array.from({ length: 60 }, (_, at) => at)
    const fragments = levels.map(
      (at) =>
        `fragment f${at} on Connection { ${at === 0 ? 'edges { node { name } }' : `...f${at - 1} ...f${at - 1}`} }`,
    )
    const query = `{ x: connection(first: 5) { ...f59 } y: connection(first: 6) { ...f59 } } ${fragments.join(' ')}`
    // Exact, since only powers of two are multiplied, and the two ones are lost in them.
    const cost = 2 ** 59 * (11 + 13)
    t.strictSame(await costOf({ query }, base), [cost, cost])
  })

  void t.test(
    `maxCost refuses what a request may cost, with the figures (${module})`,
    async (t) => {
      const send = testClient(createHandler({ ...base, maxCost: 10, rootValue: { people: [] } }))
      const query = 'query ($n: Int) { people(limit: $n) { name } }'
      for (const [n, status] of [
        [9, 200],
        [10, 422],
        [9, 200],
      ]) {
        const response = await send({ json: { query, variables: { n } } })
        t.equal(response.status, status)
        if (status === 200) continue
        const message = 'The document costs 11, more than the limit of 10.'
        const extensions = {
          code: 'DOCUMENT_LIMIT_EXCEEDED',
          limit: 'maxCost',
          allowed: 10,
          found: 11,
        }
        t.strictSame(response.json(), { errors: [{ message, extensions }] })
      }
    },
  )

  void t.test(`an endless cost is refused with a number (${module})`, async (t) => {
    const send = testClient(createHandler({ ...base, costListSize: Infinity }))
    const response = await send({ json: { query: '{ people { name } }' } })
    t.match(response.json(), { errors: [{ extensions: { found: huge } }] })
  })

  void t.test(`errors of variables are reported before the cost (${module})`, async (t) => {
    let asked = 0
    const admit = () => void asked++
    const send = testClient(createHandler({ ...base, maxCost: 10, admit }))
    const query = 'query ($n: Int, $x: Int!) { people(limit: $n) { name } weighed(x: $x) }'
    for (const [variables, code] of [
      [{ n: 1000 }, 'BAD_USER_INPUT'],
      [{ n: 1e12, x: 1 }, 'BAD_USER_INPUT'],
      [{ n: 1000, x: 1 }, 'DOCUMENT_LIMIT_EXCEEDED'],
    ] as const) {
      const response = await send({ json: { query, variables } })
      t.equal(response.status, 422)
      t.match(response.json(), { errors: [{ extensions: { code } }] }, JSON.stringify(variables))
      t.notMatch(response.body, '"data"')
    }
    t.equal(asked, 0)
  })

  void t.test(`reportOnly reports the cost of each request (${module})`, async (t) => {
    const reports: LimitReport[] = []
    const send = testClient(
      createHandler({
        ...base,
        rootValue: { people: [] },
        maxCost: 10,
        reportOnly: ['maxCost'],
        onLimit: (report) => reports.push(report),
      }),
    )
    const query = 'query ($n: Int) { people(limit: $n) { name } }'
    for (const n of [10, 9, 20, 20]) {
      t.equal((await send({ json: { query, variables: { n } } })).status, 200)
    }
    const report = { limit: 'maxCost', allowed: 10, document: query }
    t.same(
      reports,
      [11, 21, 21].map((found) => ({ ...report, found })),
    )
  })
}

void t.test('schemas that share an interface know different types of it', async (t) => {
  for (const module of [graphql, graphql16 as unknown as typeof graphql]) {
    const int = module.GraphQLInt
    const node: graphql.GraphQLInterfaceType = new module.GraphQLInterfaceType({
      name: 'Node',
      fields: () => ({ feed: { type: new module.GraphQLList(node) }, id: { type: int } }),
    })
    const typeWith = (name: string, first: number) =>
      new module.GraphQLObjectType({
        name,
        interfaces: [node],
        fields: {
          feed: {
            type: new module.GraphQLList(node),
            args: { first: { type: int, defaultValue: first } },
          },
          id: { type: int },
        },
      })
    const query = new module.GraphQLObjectType({ name: 'Query', fields: { node: { type: node } } })
    const [small, large] = [typeWith('Small', 3), typeWith('Large', 90)]
    const few = new module.GraphQLSchema({ query, types: [small] })
    const all = new module.GraphQLSchema({ query, types: [small, large] })
    const costs: number[] = []
    const send = testClient(
      createHandler({
        graphql: module,
        schema: ({ target }) => (target.endsWith('all') ? all : few),
        admit: ({ cost }) => void costs.push(cost),
      }),
    )
    for (const target of ['/?few', '/?all', '/?few']) {
      await send({ target, json: { query: '{ node { feed { id } } }' } })
    }
    t.strictSame(costs, [12, 92, 12])
  }
})

void t.test(
  'interfaces within interfaces are counted in a time that does not double',
  async (t) => {
    const types = Array.from(
      { length: 6 },
      (_, at) =>
        `type T${at} implements Node { pages(first: Int = ${at + 1}): Pages  feed(limit: Int = ${at + 1}): [Node] }`,
    )
    const source = `
    interface Node { pages: Pages  feed: [Node] }
    type Pages { node: Node }
    type Query { node: Node }
    ${types.join('\n')}
  `
    const levels = 60
    const query = `{ node { ${'pages { node { '.repeat(levels)} feed { __typename } ${'} }'.repeat(levels)} } }`
    for (const [, { graphql: module }] of modules) {
      const schema = module ? graphql16.buildSchema(source) : graphql.buildSchema(source)
      const options: Options = {
        schema: schema as never,
        maxDepth: Infinity,
        ...(module && { graphql: module }),
      }
      const cost = 1 + levels * 2 + 11
      t.strictSame(await costOf({ query }, options), [cost, cost])
    }
  },
)

void t.test('a default may be a bigint where an interface is selected', async (t) => {
  for (const module of [graphql, graphql16 as unknown as typeof graphql]) {
    const page = new module.GraphQLInputObjectType({
      name: 'Page',
      fields: { limit: { type: module.GraphQLInt } },
    })
    const field = (defaultValue: object) => ({
      type: new module.GraphQLList(module.GraphQLString),
      args: { page: { type: page, defaultValue } },
    })
    const listed = new module.GraphQLInterfaceType({
      name: 'Listed',
      fields: { items: field({ limit: 20n }) },
    })
    const list = new module.GraphQLObjectType({
      name: 'List',
      interfaces: [listed],
      fields: { items: field({ limit: 30n }) },
    })
    const query = new module.GraphQLObjectType({
      name: 'Query',
      fields: { list: { type: listed } },
    })
    const schema = new module.GraphQLSchema({ query, types: [list] })
    t.strictSame(
      await costOf({ query: '{ list { items } }' }, { schema, graphql: module }),
      [32, 32],
    )
  }
})

void t.test('schemas made by code say their defaults too', async (t) => {
  const list = (module: typeof graphql, argument: object): Options => {
    const item = new module.GraphQLObjectType({
      name: 'Item',
      fields: { name: { type: module.GraphQLString } },
    })
    const items = {
      type: new module.GraphQLList(item),
      args: { first: { type: module.GraphQLInt, ...argument } },
    }
    const query = new module.GraphQLObjectType({ name: 'Query', fields: { items } })
    return { schema: new module.GraphQLSchema({ query }), graphql: module }
  }
  const old = graphql16 as unknown as typeof graphql
  const literal = { kind: graphql.Kind.INT, value: '3' }
  for (const [title, options, cost] of /* oxfmt-ignore */ [
    ['17, a value of before', list(graphql, { defaultValue: 3 }),          4],
    ['17, a value',           list(graphql, { default: { value: 3 } }),    4],
    ['17, a literal',         list(graphql, { default: { literal } }),     4],
    ['17, null',              list(graphql, { default: { value: null } }), 11],
    ['17, none',              list(graphql, {}),                           11],
    ['16, a value',           list(old, { defaultValue: 3 }),              4],
    ['17, a bigint',          list(graphql, { defaultValue: 30n }),        31],
    ['17, a small bigint',    list(graphql, { defaultValue: 3n }),         11],
    ['16, a bigint',          list(old, { defaultValue: 30n }),            31],
    ['16, half of one',       list(old, { defaultValue: 0.5 }),            2],
    ['16, null',              list(old, { defaultValue: null }),           11],
    ['16, none',              list(old, {}),                               11],
  ] as const) {
    // A run on graphql 16 alone has nobody who knows `default`.
    if (graphql.versionInfo.major < 17 && title.startsWith('17')) continue
    t.strictSame(await costOf({ query: '{ items { name } }' }, options), [cost, cost], title)
  }
})
