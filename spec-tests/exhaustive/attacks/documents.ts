import type { AttackRow } from './run-attacks.js'

export const times = (count: number, part: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join(' ')
const nested = (levels: number, open: string, inner: string, close: string): string =>
  open.repeat(levels) + inner + close.repeat(levels)
/** Both branches of a tree. */
const twice = (levels: number, field: (inner: string) => string, leaf: string): string =>
  levels === 0
    ? leaf
    : field(twice(levels - 1, field, leaf)).concat(field(twice(levels - 1, field, leaf)))

const limit = 'DOCUMENT_LIMIT_EXCEEDED'
const invalid = 'GRAPHQL_VALIDATION_FAILED'
const syntax = 'GRAPHQL_PARSE_FAILED'

/** Documents that are larger, deeper or wider than anybody needs. */
// oxfmt-ignore
export const tooLarge: readonly AttackRow[] = [
  ['1,000,000 tokens',            '!'.repeat(1_000_000),                                                    413, 'DOCUMENT_TOO_LONG'],
  ['60,000 tokens',               `{${'!'.repeat(60_000)}`,                                                 400, limit],
  ['32,000 fields',               `{${'a '.repeat(32_000)}}`,                                               400, limit],
  ['selections 10,000 deep',      nested(10_000, '{a', '', '}'),                                            400, limit],
  ['selections that never close', '{'.repeat(60_000),                                                       400, limit],
  ['closing brackets only',       '}'.repeat(60_000),                                                       400, limit],
  ['lists 10,000 deep',           `{measure(input:{list:${nested(10_000, '[', '1', ']')}})}`,               400, limit],
  ['objects 5,000 deep',          `{measure(input:${nested(5_000, '{input:', '{}', '}')})}`,                400, limit],
  ['types 10,000 deep',           `query($v:${nested(10_000, '[', 'Int', ']')}){hello}`,                    400, limit],
  ['types 120 deep',              `query($v:${nested(120, '[', 'Int', ']')}){measure(input:{list:$v})}`,    422, invalid],
  ['lists 120 deep',              `{measure(input:{list:${nested(120, '[', '1', ']')}})}`,                  422, invalid],
  ['objects 60 deep',             `{measure(input:${nested(60, '{input:', '{}', '}')})}`,                   200],
  ['a default 60 deep',           `query($v:Input=${nested(60, '{input:', '{}', '}')}){measure(input:$v)}`, 200],
  ['inline fragments 126 deep',   `{${nested(126, '...{', 'hello', '}')}}`,                                 200],
  ['10,000 aliases',              `{${times(10_000, (at) => `a${at}:hello`)}}`,                             [400, 413]],
  [
    'aliases that fragments multiply',
    `{person{${times(8, (at) => `...F${at}`)}}} ${times(8, (at) => `fragment F${at} on Person{${times(4, (one) => `a${at}_${one}:id`)}}`)}`,
    422,
    limit,
  ],
  ['600 directives',              `{hello ${times(600, () => '@skip(if:false)')}}`,                         [400, 422], limit],
  ['300 unknown directives',      `{hello ${times(300, (at) => `@d${at}`)}}`,                               422, limit],
  ['400 operations',              times(400, (at) => `query Q${at}{hello}`),                                422, limit],
  ['10,000 variables',            `query(${times(10_000, (at) => `$v${at}:Int`)}){hello}`,                  413],
  ['variables with 600 defaults', `query(${times(100, (at) => `$v${at}:[Int]=[1 2 3 4]`)}){hello}`,         422, invalid],
]

// oxfmt-ignore
export const explosive: readonly AttackRow[] = [
  ['1,990 equal fields',                   `{${times(1990, () => 'hello')}}`,                                     [200, 422]],
  ['1,990 equal fields below',             `{person{${times(1990, () => 'id')}}}`,                                [200, 422]],
  ['1,990 times __typename',               `{${times(1990, () => '__typename')}}`,                                [200, 422]],
  ['300 equal fields with arguments',      `{person{${times(300, () => 'echo(text:"a")')}}}`,                     [200, 422]],
  ['330 fields that conflict',             `{person{${times(330, (at) => `friends(limit:${at}){id}`)}}}`,         [400, 422]],
  ['a tree of equal fields',               `{person{${twice(8, (inner) => `best{${inner}}`, 'id ')}}}`,           [200, 422]],
  [
    'a tree of fragments on two types',
    `{pet{${twice(5, (inner) => `...on Cat{friends{best{${inner}}}}`, 'id ').replaceAll(/\{id id \}/g, '{id}')}}}`,
    [200, 422],
  ],
  ['fields of 330 fragments',              `{pet{${times(165, () => '...on Cat{name} ...on Dog{name}')}}}`,       [200, 422]],
  ['a cycle of one',                       '{person{...A}} fragment A on Person{id ...A}',                        422],
  ['a cycle of two',                       '{person{...A}} fragment A on Person{best{...B}} fragment B on Person{best{...A}}', 422],
  ['a cycle of 49',                        `{person{...F0}} ${times(49, (at) => `fragment F${at} on Person{id ...F${(at + 1) % 49}}`)}`, 422],
  [
    'every fragment spreads every other',
    `{person{...F0}} ${times(30, (at) => `fragment F${at} on Person{${times(30, (other) => `...F${other === at ? 0 : other}`)}}`)}`,
    422,
  ],
  ['a billion laughs', `{person{...F0}} ${times(30, (at) => `fragment F${at} on Person{${at < 29 ? times(10, () => `...F${at + 1}`) : 'id'}}`)}`, [200, 422]],
  [
    'a billion laughs with fields',
    `{person{...F0}} ${times(14, (at) => `fragment F${at} on Person{${at < 13 ? times(10, () => `best{...F${at + 1}}`) : 'id'}}`)}`,
    422,
    limit,
  ],
  ['fragments 48 deep',                    `{person{...F0}} ${times(49, (at) => `fragment F${at} on Person{${at < 48 ? `...F${at + 1}` : 'id'}}`)}`, 200],
  ['a fragment within itself by introspection', '{__schema{types{...T}}} fragment T on __Type{ofType{...T}}',     422],
  ['circular introspection',               `{__schema{types{${nested(4, 'fields{type{', 'name', '}}')}}}}`,       422],
  [
    'circular introspection by fragments',
    '{__schema{types{...A}}} fragment A on __Type{fields{type{...B}}} fragment B on __Type{fields{type{...C}}} fragment C on __Type{fields{type{name}}}',
    422,
  ],
  ['introspection of possible types',      `{__schema{types{${nested(6, 'possibleTypes{', 'name', '}')}}}}`,      422],
  ['20 times __schema',                    `{${times(20, (at) => `a${at}:__schema{types{name}}`)}}`,              422, limit],
  ['20 times __type',                      `{${times(20, (at) => `a${at}:__type(name:"Person"){name}`)}}`,        422, limit],
  [
    '25 operations over 24 fragments',
    `${times(25, (at) => `query Q${at}{...F0}`)} ${times(24, (at) => `fragment F${at} on Query{${times(12, (one) => (at + one < 23 ? `...F${at + one + 1}` : 'hello'))}}`)}`,
    422,
  ],
  ['100 variables in every place',         `query(${times(100, (at) => `$v${at}:Int`)}){person{${times(100, (at) => `friends(limit:$v${at}){id}`)}}}`, 422],
  ['600 arguments',                        `{echo(${times(600, () => 'text:"a"')})}`,                             422],
  ['600 equal input fields',               `{measure(input:{${times(600, () => 'number:1')}})}`,                  422],
  ['1,900 wrong values',                   `{measure(input:{list:[${times(1900, () => '"a"')}]})}`,               422, invalid],
  ['19 unknown fields with 3,000 letters', `{${times(19, (at) => `a${at}${'b'.repeat(3000)}`)}}`,                 422, invalid],
  ['skip and include by variables',        `query($a:Boolean!$b:Boolean!){person{${times(10, () => 'id @skip(if:$a) @include(if:$b)')}}}`, 422],
]

/** Text that is hard to read, and to repeat in a message. */
// oxfmt-ignore
export const unreadable: readonly AttackRow[] = [
  ['a name of 65,000 letters',         `{${'a'.repeat(65_000)}}`,                            422, invalid],
  ['a string of 65,000 characters',    `{echo(text:"${'a'.repeat(65_000)}")}`,               200],
  ['a string that never ends',         `{echo(text:"${'a'.repeat(65_000)}`,                  400, syntax],
  ['10,000 escapes',                   `{echo(text:"${'\\u0041'.repeat(10_000)}")}`,         200],
  ['escapes of code points',           `{echo(text:"${'\\u{1F600}'.repeat(6_000)}")}`,       200],
  ['an escape of 60,000 digits',       `{echo(text:"\\u{${'0'.repeat(60_000)}}")}`,          400, syntax],
  ['a block string of line ends',      `{echo(text:"""${'\n'.repeat(65_000)}""")}`,          400, limit],
  ['a block string of indented lines', `{echo(text:"""${'\n  a'.repeat(16_000)}""")}`,       400, limit],
  ['a block string of escaped quotes', `{echo(text:"""${'\\"""'.repeat(16_000)}""")}`,       200],
  ['a block string that never ends',   `{echo(text:"""${'\\"""'.repeat(16_000)}`,            400, syntax],
  ['a comment of 65,000 characters',   `#${'a'.repeat(65_000)}\n{hello}`,                    200],
  ['32,000 comments',                  `${'#\n'.repeat(32_000)}{hello}`,                     400, limit],
  ['65,000 commas',                    `{${','.repeat(65_000)}hello}`,                       200],
  ['65,000 byte order marks',          `{${'\ufeff'.repeat(65_000)}hello}`,                  200],
  ['an integer of 60,000 digits',      `{people(limit:${'9'.repeat(60_000)}){id}}`,          400, limit],
  ['a fraction of 60,000 digits',      `{people(limit:1.${'9'.repeat(60_000)}){id}}`,        400, limit],
  ['an enum value of 60,000 letters',  `{person{name(case:${'U'.repeat(60_000)})}}`,         422, invalid],
  ['a type of 60,000 letters',         `query($v:${'T'.repeat(60_000)}){hello}`,             422, invalid],
  ['fragments named after prototypes', '{...constructor ...__proto__} fragment constructor on Query{hello} fragment __proto__ on Query{hello}', 200],
  ['aliases of prototypes',            '{__proto__:hello constructor:hello toString:hello}', 200],
  ['60,000 lines before 5 errors',     `{${'\n'.repeat(60_000)}q w e r t}`,                  400, limit],
]

/** What lists within lists, and lists of what is dear, multiply to. */
// oxfmt-ignore
export const multiplying: readonly AttackRow[] = [
  ...Array.from({ length: 10 }, (_, depth): AttackRow => {
    const document = `{people{${nested(depth, 'friends{', 'id', '}')}}}`
    return depth < 4
      ? [`friends to depth ${depth + 1}`, document, 200]
      : [`friends to depth ${depth + 1}`, document, 422, limit]
  }),
  ['a list of 24,999',                           '{people(limit:24999){id}}',                                               200],
  ['a list of 2,147,483,647',                    '{people(limit:2147483647){id}}',                                          422, limit],
  ['lists of nothing but __typename',            '{people(limit:1000){friends(limit:1000){__typename}}}',                   422, limit],
  ['a list of nothing but __typename',           '{people(limit:2000000){__typename}}',                                     422, limit],
  ['29 times __typename in a list',              `{people(limit:9999){${times(29, (at) => `a${at}:__typename`)}}}`,         422, limit],
  ['one list under 29 names',                    `{person{${times(29, (at) => `a${at}:friends(limit:900){id}`)}}}`,         422, limit],
  ['a list of what 900 ids name',                `{byIds(ids:[${times(900, () => '1')}]){friends{friends{id}}}}`,           422, limit],
  ['introspection within a list',                '{people(limit:3000){query{__schema{types{name fields{name}}}}}}',         422, limit],
  ['large literals in a list',                   `{people(limit:9000){measure(input:{list:[${times(1900, () => '1')}]})}}`, 422, limit],
  ['large literals repeated in a list',          `{people(limit:9000){echo(text:"${'a'.repeat(60_000)}")}}`,                422, limit],
  ['12,000 fields that fail',                    '{people(limit:12000){broken}}',                                           [294, 500]],
  ['24,900 fields that fail behind many lines and spaces', `{${'\n'.repeat(990)}${' '.repeat(60_000)}people(limit:24900){broken}}`,    [294]],
  ['5,000 fields that fail behind 60,000 lines', `{${'\n'.repeat(60_000)}people(limit:5000){broken}}`,                      [294, 400, 413, 422, 500]],
  ['pages within pages', '{pet{...on Cat{friends(limit:200){friends(limit:200){id}}} ...on Dog{friends(limit:200){friends(limit:200){id}}}}}', 422, limit],
]
