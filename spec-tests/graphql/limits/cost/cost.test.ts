import * as graphql from 'graphql'
import t from 'tap'
import type { Options } from '../../../../src/index.js'
import type { JsonObject } from '../../../../src/base/json.js'
import { CostCounter } from '../../../../src/graphql/limits/cost/cost.js'
import { clientOf } from '../../../handler/client-of.js'
import { majors } from '../../majors.js'

function ids(count: number): string {
  return Array.from({ length: count }, (_, at) => `"${at}"`).join(' ')
}

function many(count: number): readonly string[] {
  return Array.from({ length: count }, String)
}

const sdl = `
  directive @cost(weight: String!) on FIELD_DEFINITION | ARGUMENT_DEFINITION
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
  scalar Any
  interface Named { name: String  friends(limit: Int): [Person] }
  type Person implements Named { name: String  friends(limit: Int): [Person]  tags: [String]  having(all: [String]): Int  one(of: Wide): Int
    has(ids: [ID]): [Boolean]  hasBy(window: Window): [Boolean]  hasAssumed(ids: [ID]): [Boolean] @listSize(assumedSize: 5)
    meta(of: Any): Int  about(window: Window): Int  wide(of: [Wide]): Int }
  type Idle { free: Int @cost(weight: "0") }
  type Robot implements Named { name: String  friends(limit: Int): [Person]  serial: Int }
  union Being = Person | Robot
  type Edge { node: Person }
  type Page { from: Int }
  type Connection { edges: [Edge!]!  nodes(first: Int): [Person]  page: Page  hits: [Person]  ids: [Int] }
  interface Layered { edges: [Edge] }
  type Layer implements Layered {
    inner: Layer  layered: Layered  either: Layers  edges: [Edge]  hits: [Person]  ids: [Int]  table: [[Person]]
    nodes(first: Int): [Person]  byIds(ids: [ID]): [Person]  assumed: [Person] @listSize(assumedSize: 50)
    groups(limit: Int): [Layer]  paged(first: Int): Layer
  }
  union Layers = Layer
  interface Node {
    feed(limit: Int = 1): [Node]  items: [Node]  dear: Int  weigh(x: Int): Int
    page: Nodes  assumed: [Node]  least: [Node] @listSize(assumedSize: 2)  codes: [Int]
  }
  interface Inner implements Node {
    feed(limit: Int = 1): [Node]  items: [Node]  dear: Int  weigh(x: Int): Int
    page: Nodes  assumed: [Node]  least: [Node]  codes: [Int]
  }
  type Small implements Inner & Node {
    feed(limit: Int = 1): [Node]  items(first: Int = 1): [Small]  dear: Int  weigh(x: Int): Int  page: Nodes
    assumed: [Node] @listSize(assumedSize: 1)  least: [Node] @listSize(assumedSize: 1)  codes: [Int]
  }
  type Large implements Node {
    feed(limit: Int = 100): [Node]  items(first: Int = 50): [Large]  dear: Int @cost(weight: "7")
    weigh(x: Int @cost(weight: "4"), more: Int): Int  page(first: Int = 30): Nodes  codes(first: Int = 60): [Int]
    assumed: [Node] @listSize(assumedSize: 40)  least: [Node] @listSize(assumedSize: 1)
  }
  type Nodes { nodes: [Node] }
  union Either = Small | Large
  input Wide { ${many(250)
    .map((_, at) => `f${at}: Int`)
    .join(' ')}  inner: Wide }
  input Window { limit: Int  ids: [ID]  where: Window  any: [Window]  meta: Any }
  input Paged { first: Int = 40 }
  input Outer { paged: Paged = {} }
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
    notSized(window: Window): [Person] @listSize(slicingArguments: [])
    listed(names: Named2): [Person]
    taken2(names: Named2): [Person] @listSize(slicingArguments: ["names.take"])
    all: [Person]
    unsized: Connection
    wides(of: [Wide]): [Person] @listSize(assumedSize: 5)
    pagedExactly(paged: Paged): [Person] @listSize(slicingArguments: ["paged.first"])
    pagedDeeply(outer: Outer): [Person] @listSize(slicingArguments: ["outer.paged.first"])
    person: Person
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
    byGroups(groups: [[ID]]): [Person]
    byGroupsUsually(groups: [[ID]] = [[${ids(8)}] [${ids(7)}]]): [Person]
    byBoxes(boxes: [[[ID!]!]!]!): [Person]
    byGrouped(grouped: Grouped): [Person]
    byPreset(preset: Preset): [Person]
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
    sizedAssumed: Connection @listSize(assumedSize: 7, sizedFields: ["hits"])
    pages(limit: Int): [Connection] @listSize(sizedFields: ["hits"])
    layer(first: Int, last: Int): Layer
    layerOf(ids: [ID]): Layer
    layerBy(window: Window): Layer
    layerAssumed: Layer @listSize(assumedSize: 50)
    layerNamed(count: Int): Layer @listSize(slicingArguments: ["count"], sizedFields: ["inner.hits"])
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

type Row = readonly [cost: number, query: string, variables?: object, options?: Partial<Options>]

const huge = Number.MAX_SAFE_INTEGER

/** So many input values cost 1. */
const values = 25

// oxfmt-ignore
const rows: readonly (readonly [title: string, ...(readonly Row[])])[] = [
  [
    'a field is 1, and 1 + size × what it selects',
    [1,                      '{ a }'],
    [3,                      '{ a b: a a }'],
    [1 + 1 + 1,              '{ a person { name } }'],
    [1 + 1,                  'mutation { rename { name } }'],
    [1 + 3 * 1,              '{ people(limit: 3) { name } }'],
    [1 + 20 * (1 + 1 + 10),  '{ people(limit: 20) { name friends { name } } }'],
    [1 + 3 * (1 + 4 * (1 + 5)), '{ people(limit: 3) { friends(limit: 4) { friends(limit: 5) { name } } } }'],
    [1 + 100 * (1 + 1 + 50 * 2), '{ people(limit: 100) { name friends(limit: 50) { name __typename } } }'],
  ],
  [
    'without a usable size a list is 10 if it has a size argument, otherwise 5',
    [1 + 10, '{ people { name } }'],
    [1 + 5,  '{ all { name } }'],
    [1 + 10, '{ people(limit: null) { name } }'],
    [1 + 10, '{ people(limit: 0) { name } }'],
    [1 + 10, '{ people(limit: -1) { name } }'],
    [1 + 10, '{ byDefault(first: null) { name } }'],
    [1 + 10, '{ ends(first: -1, last: 2) { name } }'],
    [1 + 20, '{ ends(first: -1, last: 20) { name } }'],
    [1 + 10, '{ ends(first: null, last: null) { name } }'],
  ],
  [
    'the largest size argument counts, also by a variable or a default',
    [1 + 4,  '{ ends(first: 2, last: 4) { name } }'],
    [1 + 2,  '{ ends(first: null, last: 2) { name } }'],
    [1 + 3,  '{ byDefault { name } }'],
    [1 + 5,  '{ byDefault(first: 5) { name } }'],
    [1 + 4,  'query ($n: Int) { people(limit: $n) { name } }',    { n: 4 }],
    [1 + 10, 'query ($n: Int) { people(limit: $n) { name } }',    { n: 0 }],
    [1 + 10, 'query ($n: Int) { people(limit: $n) { name } }',    { n: null }],
    [1 + 10, 'query ($n: Int) { people(limit: $n) { name } }'],
    [1 + 4,  'query ($toString: Int = 4) { people(limit: $toString) { name } }'],
    [1 + 2,  'query ($n: Int = 4) { people(limit: $n) { name } }', { n: 2 }],
    [1 + 3,  'query ($n: Int) { byDefault(first: $n) { name } }'],
    [1 + 7,  'query ($n: Int) { byDefault(first: $n) { name } }', { n: 7 }],
    [1 + 2,  'query ($n: Int) { ...f } fragment f on Query { people(limit: $n) { name } }', { n: 2 }],
  ],
  [
    'numbers of other types are sizes, text makes a list longer and never shorter',
    [1 + 3,    '{ float(first: 2.5) { name } }'],
    [1 + 10,   '{ float(first: -0.5) { name } }'],
    [1 + 2,    'query ($n: Any) { any(first: $n) { name } }',     { n: 1.5 }],
    [1 + 10,   'query ($n: Any) { any(first: $n) { name } }',     { n: [4] }],
    [1 + 10,   '{ text(first: "4") { name } }'],
    [1 + 50,   '{ text(first: "50 of them") { name } }'],
    [1 + 50,   'query ($n: String) { text(first: $n) { name } }', { n: '50' }],
    [1 + 99999, '{ any(first: 99999e-5) { name } }'],
    [1 + 99999, '{ any(first: "99999e-5") { name } }'],
    [1 + 10,   '{ any(first: LEAST) { name } }'],
    [1 + huge, '{ text(first: "Infinity") { name } }'],
    [2 ** 31,  '{ people(limit: 2147483647) { name } }'],
    [1 + huge, `{ any(first: ${'9'.repeat(99)}) { name } }`],
  ],
  [
    'each list within a list is 10 long',
    [1 + 5 * 10,       '{ matrix { name } }'],
    [1 + 5 * 10,       '{ matrixOf(limit: 5) { name } }'],
    [1 + 30 * 10 * 10, '{ cube { name } }'],
    [1 + 5 * 3,        '{ matrixOf(limit: 5) { name } }',  {}, { costListSize: 3 }],
    [1 + 4 * 4,        '{ matrixOf(limit: 99) { name } }', {}, { costMaxListSize: 4 }],
  ],
  [
    'sizes in input objects, and their defaults, only make a list longer',
    [1 + 50, '{ windowed(window: { limit: 50 }) { name } }'],
    [1 + 10, '{ windowed(window: { limit: 5 }) { name } }'],
    [1 + 50, '{ windowed(window: { limit: 50 }, limit: 5) { name } }'],
    [2 + 50, '{ windowed(window: { where: { limit: 50 } }) { name } }'],
    [2 + 50, '{ windowed(window: { any: [{ limit: 50 }] }) { name } }'],
    [2 + 50, '{ windowedBy(windows: [{ limit: 7 }, { limit: 50 }]) { name } }'],
    [1 + 25, '{ windowedByDefault { name } }'],
    [1 + 5,  '{ windowedByDefault(window: {}) { name } }'],
    [1 + 5,  '{ paged { name } }'],
    [1 + 40, '{ paged(paged: {}) { name } }'],
    [1 + 5,  '{ paged(paged: { first: null }) { name } }'],
    [1 + 40, '{ outer(outer: {}) { name } }'],
    [1 + 5,  '{ listed(names: { first: "50" }) { name } }'],
    [2 + 50, 'query ($w: Window) { windowed(window: $w) { name } }',                { w: { where: { limit: 50 } } }],
    [1 + 50, 'query ($n: Int = 50) { windowed(window: { limit: $n }) { name } }'],
    [1 + 60, 'query ($p: Paged!) { paged(paged: $p) { name } }',                    { p: { first: 60 } }],
    [2 * 51, 'query ($w: Window) { a: windowed(window: $w) { name } b: windowed(window: $w) { name } }', { w: { limit: 50 } }],
  ],
  [
    'so does the number of items in list arguments',
    [1 + 5,  `{ byIds(ids: [${ids(2)}]) { name } }`],
    [1 + 15, `{ byIds(ids: [${ids(15)}]) { name } }`],
    [1 + 15, `{ byIdsAtMost(ids: [${ids(15)}], limit: 3) { name } }`],
    [1 + 3,  `{ byIdsAtMost(ids: [${ids(2)}], limit: 3) { name } }`],
    [1 + 15, '{ byIdsUsually { name } }'],
    [1 + 5,  '{ byIdsUsually(ids: []) { name } }'],
    [1 + 15, '{ byPreset(preset: {}) { name } }'],
    [2 + 12, `{ windowed(window: { ids: [${ids(12)}], limit: 3 }) { name } }`],
    [1 + 20, 'query ($i: [ID!]!) { byIds(ids: $i) { name } }',             { i: many(20) }],
    [2 + 16, 'query ($i: [ID]) { windowed(window: { ids: $i }) { name } }', { i: many(16) }],
    [1 + 4,  `{ byIds(ids: [${ids(15)}]) { name } }`,                      {}, { costMaxListSize: 4 }],
  ],
  [
    'with those of lists within it, each at least 1',
    [2 + 15, `{ byGroups(groups: [[${ids(8)}] [${ids(7)}]]) { name } }`],
    [2 + 15, `{ byGroups(groups: [[${ids(12)}] "12" null []]) { name } }`],
    [1 + 15, '{ byGroupsUsually { name } }'],
    [2 + 15, `{ byGrouped(grouped: { of: [[${ids(8)}] [${ids(7)}]] }) { name } }`],
    [2 + 12, 'query ($v: [ID]) { byGroups(groups: [$v $v]) { name } }', { v: many(6) }],
    [3 + 12, 'query ($v: [[[ID!]!]!]!) { byBoxes(boxes: $v) { name } }', { v: [[many(4), many(3)], [many(5)]] }],
  ],
  [
    'an item in place of a list counts with the list',
    [1 + 250 + Math.floor((1 + 250) / values),     'query ($v: [ID!]!) { byIds(ids: $v) { name } }',       { v: many(250) }],
    [1 + 250 + Math.floor((1 + 2 * 250) / values), 'query ($v: [[ID]]) { byGroups(groups: $v) { name } }', { v: many(250) }],
    [1 + 250 + Math.floor((1 + 3 * 250) / values), 'query ($v: [[[ID!]!]!]!) { byBoxes(boxes: $v) { name } }', { v: many(250) }],
  ],
  [
    'a list within a list counts 8 and its items',
    [1 + 250 + Math.floor((1 + 9 * 250) / values),  'query ($v: [[ID]]) { byGroups(groups: $v) { name } }', { v: many(250).map((id) => [id]) }],
    [1 + 250 + Math.floor((1 + 17 * 250) / values), 'query ($v: [[[ID!]!]!]!) { byBoxes(boxes: $v) { name } }', { v: many(250).map((id) => [[id]]) }],
  ],
  [
    'members that do not fit cost as much as fields',
    [1 + 5 + Math.floor((1 + 262 + 3 * (values + 1)) / values), 'query ($v: [Wide]) { wides(of: $v) { name } }', { v: [{ x: 1, y: 1, z: 1 }] }],
    [1 + 5 + Math.floor((1 + 262 + 3 * (values + 1)) / values), 'query ($v: [Wide]) { wides(of: $v) { name } }', { v: [{ x: { y: { z: 1 } } }] }],
    [1 + 10 + Math.floor((1 + 2 * (values + 1)) / values), 'query ($v: String) { text(first: $v) { name } }', { v: { x: 1, y: 1 } }],
  ],
  [
    'a connection gives its size to edges and nodes',
    [2 + 5 * 2,              '{ connection(first: 5) { edges { node { name } } } }'],
    [2 + 1 * 2,              '{ connection(first: 1) { edges { node { name } } } }'],
    [2 + 2 * (1 + 1 + 10),   '{ connection(last: 2) { edges { node { friends { name } } } } }'],
    [1 + (1 + 10 * 2),       '{ connection { edges { node { name } } } }'],
    [1 + (1 + 10 * 2),       '{ connection(first: 0) { edges { node { name } } } }'],
    [1 + (1 + 4 * 2),        '{ connectionByDefault { edges { node { name } } } }'],
    [1 + (1 + 2 * 2),        'query ($n: Int) { connection(first: $n) { edges { node { name } } } }', { n: 2 }],
    [1 + (1 + 5),            '{ connection(first: 5) { nodes { name } } }'],
    [1 + (1 + 5),            '{ connection(first: 5) { nodes(first: 2) { name } } }'],
    [1 + (1 + 50),           '{ connection(first: 5) { nodes(first: 50) { name } } }'],
    [1 + (1 + 5 * 2),        '{ unsized { edges { node { name } } } }'],
  ],
  [
    'and to other lists below as a minimum, until one takes it',
    [1 + (1 + 5),                '{ connection(first: 2) { hits { name } } }'],
    [1 + (1 + 50),               '{ connection(first: 50) { hits { name } } }'],
    [1 + 1 + (1 + 50),           '{ layer(first: 50) { inner { hits { name } } } }'],
    [1 + 1 + 1 + 1 + (1 + 50),   '{ layer(last: 50) { inner { inner { inner { hits { name } } } } } }'],
    [1 + 1 + (1 + 5),            '{ layer(first: 3) { inner { hits { name } } } }'],
    [1 + 1 + (1 + 50 * 10),      '{ layer(first: 50) { inner { table { name } } } }'],
    [1 + 1 + (1 + 50),           '{ layer(first: 50) { inner { nodes(first: 5) { name } } } }'],
    [1 + (1 + 50 * (1 + 5)),     '{ layer(first: 50) { groups(limit: 2) { hits { name } } } }'],
    [1 + 1 + (1 + 50),           '{ layer(first: 50) { paged(first: 2) { hits { name } } } }'],
    [1 + (1 + 50 * (1 + 1 + 10)), '{ layer(first: 50) { edges { node { friends { name } } } } }'],
    [1 + (1 + 50),               '{ layerBy(window: { limit: 50 }) { hits { name } } }'],
    [1 + (1 + 15),               `{ layerOf(ids: [${ids(15)}]) { edges { __typename } } }`],
    [1 + (1 + 50),               '{ layerAssumed { edges { __typename } } }'],
    [1 + 1 + (1 + 20),           '{ layer(first: 50) { inner { hits { name } } } }', {}, { costMaxListSize: 20 }],
  ],
  [
    'also through fragments, interfaces and unions, each by its place',
    [1 + 1 + (1 + 50),           '{ layer(first: 50) { ... { inner { ...F } } } } fragment F on Layer { hits { name } }'],
    [53 + 23,                    '{ a: layer(first: 50) { inner { ...F } } b: layer(first: 20) { inner { ...F } } } fragment F on Layer { hits { name } }'],
    [1 + 1 + (1 + 50),           '{ layer(first: 50) { layered { edges { __typename } } } }'],
    [1 + 1 + (1 + 50),           '{ layer(first: 50) { either { ... on Layer { hits { name } } } } }'],
  ],
  [
    'a list of scalars adds its size if one was requested',
    [1 + 1,            '{ person { tags } }'],
    [1,                '{ numbers }'],
    [1 + 50,           '{ numbers(first: 50) }'],
    [1 + 5 * 10,       '{ table(first: 5) }'],
    [1 + (1 + 50),     '{ connection(first: 50) { ids } }'],
    [1 + 1 + (1 + 50), '{ layer(first: 50) { inner { ids } } }'],
    [1 + 1,            `{ person { has(ids: [${ids(5)}]) } }`],
    [1 + (1 + 11),     `{ person { has(ids: [${ids(11)}]) } }`],
    [2 + (1 + 11),     `{ person { hasBy(window: { ids: [${ids(11)}] }) } }`],
    [1 + (1 + 5),      `{ person { hasAssumed(ids: [${ids(11)}]) } }`],
  ],
  [
    'for an interface the most expensive declaration counts',
    [1 + (1 + 100),             '{ node { feed { __typename } } }'],
    [1 + (1 + 3),               '{ node { feed(limit: 3) { __typename } } }'],
    [1 + (1 + 5),               'query ($n: Int) { node { feed(limit: $n) { __typename } } }', { n: 5 }],
    [1 + (1 + 50 * (1 + 50 * 7)), '{ node { items { items { dear } } } }'],
    [1 + 7,                     '{ node { dear } }'],
    [1 + (1 + 4),               '{ node { weigh(x: 1) } }'],
    [1 + 1 + (1 + 30),          '{ node { page { nodes { __typename } } } }'],
    [1 + (1 + 40),              '{ node { assumed { __typename } } }'],
    [1 + (1 + 60),              '{ node { codes } }'],
    [1 + (1 + 1),               '{ node { ... on Small { feed { __typename } } } }'],
    [1 + (1 + 100),             '{ either { ...F } } fragment F on Node { feed { __typename } }'],
    [1 + 1 + (1 + 1),           '{ inner { feed { __typename } dear } }'],
  ],
  [
    'of fragments on several object types the most expensive type counts, and all others are added',
    [1 + 2,           '{ being { ... on Person { name } ... on Robot { name serial } } }'],
    [1 + 2,           '{ being { ... on Person { name } ... on Robot { name serial } ... on Person { tags } } }'],
    [1 + 2 + (1 + 10), '{ being { ...P ...R ...P } } fragment P on Person { name tags } fragment R on Robot { name serial friends { name } }'],
    [1 + 2,           '{ being { ... on Named { ... on Person { name } } ... on Person { tags } ... on Robot { serial } } }'],
    [1 + 3,           '{ person { ... on Person { name } ... on Person { name } ... { name } } }'],
  ],
  [
    'skipped fields and __typename count, introspection does not',
    [2,                 '{ a @skip(if: true) b: a @include(if: false) }'],
    [1 + 10,            '{ ... @include(if: false) { people { name } } }'],
    [1 + 1 + 1 + 1,     '{ __typename person { __typename name } }'],
    [0,                 '{ __schema { types { name fields { name } } } __type(name: "A") { name } }'],
  ],
  [
    `each ${values} values of a literal cost 1, for each item of the list around it`,
    [1 + 3 * 1,       `{ people(limit: 3) { having(all: [${ids(23)}]) } }`],
    [1 + 3 * (1 + 1), `{ people(limit: 3) { having(all: [${ids(24)}]) } }`],
    [1 + 3 * (1 + 2), `{ people(limit: 3) { meta(of: { n: [${ids(48)}] }) } }`],
  ],
  [
    'an input object is 10 values, and has all fields of its type, present or not',
    [1 + 3 * (1 + Math.floor(262 / values)), '{ people(limit: 3) { one(of: {}) } }'],
    [1 + 3 * (1 + Math.floor(262 / values)), '{ people(limit: 3) { one(of: { f1: 1 }) } }'],
    [1 + 3 * (1 + Math.floor(523 / values)), '{ people(limit: 3) { one(of: { inner: {} }) } }'],
    [1 + 3 * (1 + Math.floor(525 / values)), '{ people(limit: 3) { wide(of: [{} {}]) } }'],
  ],
  [
    'each 100 characters are a value more',
    [1 + 3 * 1,       `{ people(limit: 3) { meta(of: "${'a'.repeat(2399)}") } }`],
    [1 + 3 * (1 + 1), `{ people(limit: 3) { meta(of: "${'a'.repeat(2400)}") } }`],
    [1 + 3 * (1 + 1), `{ people(limit: 3) { meta(of: { ${'a'.repeat(2400)}: 1 }) } }`],
    [1 + 3 * (1 + 1), `{ people(limit: 3) { about(window: { meta: "${'a'.repeat(2400)}" }) } }`],
  ],
  [
    'a variable counts once, but for each item within a literal',
    [1 + 5 + 4,           'query ($v: [ID!]!) { byIdsAssumed(ids: $v) { name } }',                { v: many(100) }],
    [1 + 3 * 1,           'query ($v: Any) { people(limit: 3) { meta(of: $v) } }',                { v: many(100) }],
    [1 + 3 * (1 + 4),     'query ($v: Any) { people(limit: 3) { meta(of: { a: $v }) } }',         { v: many(100) }],
    [1 + 3 * (1 + 4),     'query ($v: Any) { people(limit: 3) { about(window: { meta: $v }) } }', { v: many(98) }],
    [1 + 5 + Math.floor((1 + 3 * 262) / values), 'query ($v: [Wide]) { wides(of: $v) { name } }', { v: [{}, {}, { f1: 1 }] }],
    [1 + 5,               'query ($v: [Wide]) { wides(of: $v) { name } }',                        { v: null }],
  ],
  [
    '@cost replaces the 1 of a field, and is added for an argument that is present',
    [5,         '{ dear }'],
    [0,         '{ free }'],
    [0.5,       '{ half }'],
    [1,         '{ negative }'],
    [1,         '{ noWeight }'],
    [5 + 3 * 1, '{ dearPeople(limit: 3) { name } }'],
    [1,         '{ weighed }'],
    [1 + 3,     '{ weighed(x: 1) }'],
    [1 + 3 + 4, '{ weighed(x: null, y: 2) }'],
    [1 + 3,     'query ($x: Int) { weighed(x: $x) }'],
  ],
  [
    '@listSize(assumedSize) replaces 5, 10 and the items of list arguments',
    [1 + 50, '{ assumed { name } }'],
    [1 + 50, '{ assumedOr { name } }'],
    [1 + 50, '{ assumedOr(first: null) { name } }'],
    [1 + 2,  '{ assumedOr(first: 2) { name } }'],
    [1 + 5,  `{ byIdsAssumed(ids: [${ids(15)}]) { name } }`],
  ],
  [
    '@listSize(slicingArguments) names the size arguments',
    [1 + 2,  '{ counted(count: 2) { name } }'],
    [1 + 10, '{ counted(limit: 2) { name } }'],
    [1 + 4,  '{ countedAlone(count: 4) { name } }'],
    [1 + 5,  '{ notSized(window: { limit: 50 }) { name } }'],
    [1 + 15, `{ byIdsCounted(ids: [${ids(15)}]) { name } }`],
    [1 + 2,  '{ taken2(names: { take: 2 }) { name } }'],
    [1 + 50, '{ taken2(names: { take: 50 }) { name } }'],
    [1 + 10, '{ taken2(names: { take: 0 }) { name } }'],
    [1 + 10, '{ taken2 { name } }'],
    [1 + 2,  'query ($n: Named2) { taken2(names: $n) { name } }', { n: { take: 2 } }],
    [1 + 40, '{ pagedExactly(paged: {}) { name } }'],
    [1 + 2,  '{ pagedExactly(paged: { first: 2 }) { name } }'],
    [1 + 3,         '{ pagedDeeply(outer: { paged: { first: 3 } }) { name } }'],
  ],
  [
    '@listSize(sizedFields) replaces edges and nodes',
    [1 + (1 + 3),          '{ sized(count: 3) { hits { name } } }'],
    [1 + (1 + 5 * 2),      '{ sized(count: 3) { edges { node { name } } } }'],
    [1 + (1 + 3),          '{ sized(count: 3) { ... { ...f } } } fragment f on Connection { hits { name } }'],
    [1 + (1 + 10),         '{ sized { hits { name } } }'],
    [1 + (1 + 7),          '{ sizedAssumed { hits { name } } }'],
    [1 + 3 * (1 + 3 + 2),  '{ pages(limit: 3) { hits { name } page { from } } }'],
    [1 + 1 + (1 + 50),     '{ layerNamed(count: 50) { inner { hits { name } } } }'],
  ],
  [
    'options: costListSize, costMaxListSize and costSizeArguments',
    [1 + 4,    '{ people { name } }',                   {}, { costListSize: 4 }],
    [1 + 2,    '{ all { name } }',                      {}, { costListSize: 3 }],
    [1,        '{ people { name } }',                   {}, { costListSize: 0 }],
    [Infinity, '{ people { name } }',                   {}, { costListSize: Infinity }],
    [1,        '{ idlers { free } }',                   {}, { costListSize: Infinity }],
    [1 + 100,  '{ people(limit: 1000000) { name } }',   {}, { costMaxListSize: 100 }],
    [1 + 5,    '{ assumed { name } }',                  {}, { costMaxListSize: 5 }],
    [1 + 4,    '{ taken(take: 4, limit: 2) { name } }', {}, { costSizeArguments: ['take'] }],
    [1 + 5,    '{ people(limit: 4) { name } }',         {}, { costSizeArguments: [] }],
    [1 + 4,    '{ counted(count: 4) { name } }',        {}, { costSizeArguments: ['take'] }],
  ],
]

// oxfmt-ignore
const bulks: readonly (readonly [count: number, fields: number, line: object, status: number])[] = [
  [330_000, 3,  {},                      422],
  [53_000,  1,  {},                      422],
  [52_000,  1,  {},                      200],
  [60_000,  2,  { f0: 1, f1: 2 },        422],
  [1000,    10, { f0: 1, f1: 2, f2: 3 }, 200],
  [10_000,  30, { f0: 1, f1: 2, f2: 3 }, 200],
  [16_000,  30, { f0: 1, f1: 2, f2: 3 }, 422],
]
for (const [major, module] of majors) {
  for (const [count, fields, line, status] of bulks) {
    void t.test(`${count} input objects of ${fields} fields: ${status} (${major})`, async (t) => {
      const names = Array.from({ length: fields }, (_, at) => `f${at}: Int`).join(' ')
      const source = `input Line { ${names} } type Query { import(lines: [Line!]!): Int }`
      const { ask } = clientOf({ schema: module.buildSchema(source), graphql: module })
      const query = 'query ($lines: [Line!]!) { import(lines: $lines) }'
      const response = await ask(query, { lines: Array<object>(count).fill(line) })
      t.equal(response.status, status, response.body.slice(0, 200))
    })
  }
}

/** What `admit` sees; nothing is executed. */
async function costOf(base: Options, query: string, variables = {}, more: Partial<Options> = {}) {
  const costs: unknown[] = []
  const admit: Options['admit'] = ({ cost }) => (costs.push(cost), { kind: 'forbidden' })
  const noLimits = { maxCost: Infinity, maxDefinitions: Infinity }
  const { ask } = clientOf({ ...base, ...more, ...noLimits, admit })
  for (let round = 0; round < 2; round++) {
    const response = await ask(query, variables)
    if (response.status !== 403) return response.body
  }
  return costs
}

for (const [module, graphqlOf] of majors) {
  const base: Options = { schema: graphqlOf.buildSchema(sdl), graphql: graphqlOf }
  for (const [title, ...costs] of rows) {
    void t.test(`${title} (${module})`, async (t) => {
      for (const [cost, ...row] of costs) {
        const name = row.map((one) => JSON.stringify(one)).join(' ')
        t.strictSame(await costOf(base, ...row), [cost, cost], name)
      }
    })
  }

  void t.test(`spreads within spreads are counted once for each size (${module})`, async (t) => {
    const fragments = many(60).map((_, at) => {
      const selected = at === 0 ? 'edges { node { name } }' : `...f${at - 1} ...f${at - 1}`
      return `fragment f${at} on Connection { ${selected} }`
    })
    const query = `{ x: connection(first: 5) { ...f59 } y: connection(first: 6) { ...f59 } } ${fragments.join(' ')}`
    // Exact, since only powers of two are multiplied, and the two ones are lost in them.
    const cost = 2 ** 59 * (11 + 13)
    t.strictSame(await costOf(base, query), [cost, cost])
  })

  void t.test(`maxCost refuses what a request may cost, with figures (${module})`, async (t) => {
    const { ask } = clientOf({ ...base, maxCost: 10, rootValue: { people: [] } })
    const query = 'query ($n: Int) { people(limit: $n) { name } }'
    t.equal((await ask(query, { n: 9 })).status, 200)
    const refused = await ask(query, { n: 10 })
    t.equal(refused.status, 422)
    const message = 'The document costs 11, more than the limit of 10.'
    const figures = { limit: 'maxCost', allowed: 10, found: 11 }
    const extensions = { code: 'DOCUMENT_LIMIT_EXCEEDED', ...figures }
    t.strictSame(refused.json(), { errors: [{ message, extensions }] })
    t.equal((await ask(query, { n: 9 })).status, 200)
  })

  void t.test(`an endless cost is refused with a number (${module})`, async (t) => {
    const response = await clientOf({ ...base, costListSize: Infinity }).ask('{ people { name } }')
    t.match(response.json(), { errors: [{ extensions: { found: huge } }] })
  })

  void t.test(`errors of variables are reported before the cost (${module})`, async (t) => {
    let asked = 0
    const admit = () => void asked++
    const { ask } = clientOf({ ...base, maxCost: 10, admit })
    const query = 'query ($n: Int, $x: Int!) { people(limit: $n) { name } weighed(x: $x) }'
    for (const [variables, code] of [
      [{ n: 1000 }, 'BAD_USER_INPUT'],
      [{ n: 1e12, x: 1 }, 'BAD_USER_INPUT'],
      [{ n: 1000, x: 1 }, 'DOCUMENT_LIMIT_EXCEEDED'],
    ] as const) {
      const response = await ask(query, variables)
      t.equal(response.status, 422)
      t.match(response.json(), { errors: [{ extensions: { code } }] }, JSON.stringify(variables))
      t.notMatch(response.body, '"data"')
    }
    t.equal(asked, 0)
  })
}

void t.test('for another scalar no cost is computed again, unless it is an object', async (t) => {
  const schema = graphql.buildSchema('type Query { a(id: ID!, all: [ID!]): Int }')
  const settings = { costSizeArguments: [], costListSize: 10, costMaxListSize: 1000 }
  const count = (document: string) => {
    const counter = new CostCounter(settings, 1)
    const definition = graphql.parse(document).definitions[0] as graphql.OperationDefinitionNode
    return (variables: JsonObject | undefined) =>
      counter.count({ schema, fragments: new Map(), definition, variables })
  }
  const ofId = count('query ($id: ID!) { a(id: $id) }')
  const costs = ofId({ id: '1' })
  t.equal(ofId({ id: '2' }), costs)
  t.equal(ofId({ id: null }), costs)
  t.equal(ofId(undefined), costs)
  const members = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at}`, 1]))
  t.ok(ofId({ id: members }).cost > 50)
  t.equal(ofId({ id: '3' }), costs)
  const ofList = count('query ($all: [ID!]) { a(id: 1, all: $all) }')
  t.ok(ofList({ all: Array.from({ length: 100 }, String) }).cost > ofList({ all: [] }).cost)
})

void t.test('schemas that share an interface know different types of it', async (t) => {
  for (const [, module] of majors) {
    const id = { type: module.GraphQLInt }
    const node: graphql.GraphQLInterfaceType = new module.GraphQLInterfaceType({
      name: 'Node',
      fields: () => ({ feed: { type: new module.GraphQLList(node) }, id }),
    })
    const typeWith = (name: string, first: number) => {
      const args = { first: { type: module.GraphQLInt, defaultValue: first } }
      const fields = { feed: { type: new module.GraphQLList(node), args }, id }
      return new module.GraphQLObjectType({ name, interfaces: [node], fields })
    }
    const query = new module.GraphQLObjectType({ name: 'Query', fields: { node: { type: node } } })
    const [small, large] = [typeWith('Small', 3), typeWith('Large', 90)]
    const few = new module.GraphQLSchema({ query, types: [small] })
    const all = new module.GraphQLSchema({ query, types: [small, large] })
    const costs: number[] = []
    const { send } = clientOf({
      graphql: module,
      schema: ({ target }) => (target.endsWith('all') ? all : few),
      admit: ({ cost }) => void costs.push(cost),
    })
    for (const target of ['/?few', '/?all', '/?few']) {
      await send({ target, json: { query: '{ node { feed { id } } }' } })
    }
    t.strictSame(costs, [2 + 5, 2 + 90, 2 + 5])
  }
})

void t.test('interfaces in interfaces are counted in a time that does not double', async (t) => {
  const types = [1, 2, 3, 4, 5, 6].map(
    (most) =>
      `type T${most} implements Node { pages(first: Int = ${most}): Pages  feed(limit: Int = ${most}): [Node] }`,
  )
  const source = `
    interface Node { pages: Pages  feed: [Node] }
    type Pages { node: Node }
    type Query { node: Node }
    ${types.join('\n')}
  `
  const levels = 60
  const query = `{ node { ${'pages { node { '.repeat(levels)} feed { __typename } ${'} }'.repeat(levels)} } }`
  for (const [, module] of majors) {
    const schema = module.buildSchema(source)
    const cost = 1 + levels * 2 + (1 + 6)
    const options = { schema, graphql: module, maxDepth: Infinity }
    t.strictSame(await costOf(options, query), [cost, cost])
  }
})

void t.test('a default may be a bigint where an interface is selected', async (t) => {
  for (const [, module] of majors) {
    const limit = { type: module.GraphQLInt }
    const page = new module.GraphQLInputObjectType({ name: 'Page', fields: { limit } })
    const fieldsWith = (most: bigint) => {
      const args = { page: { type: page, defaultValue: { limit: most } } }
      return { items: { type: new module.GraphQLList(module.GraphQLString), args } }
    }
    const listed = new module.GraphQLInterfaceType({ name: 'Listed', fields: fieldsWith(20n) })
    const shared = { name: 'List', interfaces: [listed] }
    const list = new module.GraphQLObjectType({ ...shared, fields: fieldsWith(30n) })
    const fields = { list: { type: listed } }
    const query = new module.GraphQLObjectType({ name: 'Query', fields })
    const schema = new module.GraphQLSchema({ query, types: [list] })
    t.strictSame(await costOf({ schema, graphql: module }, '{ list { items } }'), [32, 32])
  }
})

void t.test('schemas made by code say their defaults too', async (t) => {
  const list = (module: typeof graphql, argument: object): Options => {
    const name = { type: module.GraphQLString }
    const item = new module.GraphQLObjectType({ name: 'Item', fields: { name } })
    const args = { first: { type: module.GraphQLInt, ...argument } }
    const items = { type: new module.GraphQLList(item), args }
    const query = new module.GraphQLObjectType({ name: 'Query', fields: { items } })
    return { schema: new module.GraphQLSchema({ query }), graphql: module }
  }
  const [[, old]] = majors as [[string, typeof graphql]]
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
    t.strictSame(await costOf(options, '{ items { name } }'), [cost, cost], title)
  }
})
