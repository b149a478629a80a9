import { onEachStore } from './on-each-store.js'
import type { Variables } from './serve-schema.js'

type Faults = readonly (readonly [path: string, message: string])[]
type Row = readonly [title: string, call: string, variables: Variables, faults: Faults]

const create = 'mutation ($input: CreatePersonInput!) { createPerson(input: $input) { id } }'
const update = 'mutation ($input: UpdatePersonInput!) { updatePerson(id: 1, input: $input) { id } }'
const replace =
  'mutation ($input: CreatePersonInput!) { replacePerson(id: 1, input: $input) { id } }'
const rename = 'mutation ($name: String!) { renamePerson(id: 1, name: $name) { id } }'
const send = 'mutation ($text: String!) { sendMessage(to: 1, text: $text) { id } }'

const email =
  'email must have text on both sides of a single @, and no blanks or control characters.'
const lone = (field: string) => `${field} must be well-formed Unicode: it has a lone surrogate.`
const nul = (field: string) => `${field} must not contain the character NUL (U+0000).`

// oxfmt-ignore
const badTexts: readonly [what: string, text: string, message: (field: string) => string][] = [
  ['empty',                           '',               (field) => `${field} must have 1 to 200 characters, not 0.`],
  ['too long',                        'x'.repeat(201),  (field) => `${field} must have 1 to 200 characters, not 201.`],
  ['too long by a pair',              '😀'.repeat(201), (field) => `${field} must have 1 to 200 characters, not 201.`],
  ['with a lone high surrogate',      'a\ud800b',       lone],
  ['with a lone low surrogate',       '\udc00',         lone],
  ['with a pair the wrong way round', '\udc00\ud800',   lone],
  ['with NUL',                        'a\0b',           nul],
  ['of NUL alone',                    '\0',             nul],
]

// oxfmt-ignore
const textRows: readonly Row[] = badTexts.flatMap(([what, text, message]): readonly Row[] => [
  ...[create, update, replace].map((call): Row => [`a name ${what}`, call, { input: { name: text } }, [['input.name', message('name')]]]),
  [`a name ${what}`, rename, { name: text }, [['name', message('name')]]],
  ...['street', 'city', 'country'].map((part): Row => {
    const input = { name: 'Ada', address: { [part]: text } }
    return [`a ${part} ${what}`, create, { input }, [[`input.address.${part}`, message(`address.${part}`)]]]
  }),
])

// oxfmt-ignore
const messageRows: readonly Row[] = [
  ['a text that is empty',    send, { text: '' },                 [['text', 'text must have 1 to 10,000 characters, not 0.']]],
  ['a text that is too long', send, { text: 'x'.repeat(10_001) }, [['text', 'text must have 1 to 10,000 characters, not 10,001.']]],
  ['a text with half a pair', send, { text: '\ud83d' },           [['text', lone('text')]]],
  ['a text with NUL',         send, { text: 'a\0' },              [['text', nul('text')]]],
]

// oxfmt-ignore
const badEmails: readonly [what: string, email: string, message: string][] = [
  ['without @',                    'ada',                         email],
  ['with two @',                   'a@b@c',                       email],
  ['with nothing before @',        '@example.org',                email],
  ['with nothing after @',         'ada@',                        email],
  ['of @ alone',                   '@',                           email],
  ['with a space',                 'a da@example.org',            email],
  ['with a line break',            'ada@example.org\r\nBcc: all', email],
  ['with a no-break space',        'ada\u00a0@example.org',       email],
  ['with a control character',     'ada\u0007@example.org',       email],
  ['with nothing to see before @', '\u200B\u2800@example.org',    email],
  ['with nothing to see after @',  'ada@\u3164',                  email],
  ['with NUL',                     'ada\0@example.org',           nul('email')],
  ['with half a pair',             'ada\ud800@example.org',       lone('email')],
  ['empty',                        '',                            'email must have 1 to 254 characters, not 0.'],
  ['too long',                     `${'x'.repeat(250)}@x.yz`,     'email must have 1 to 254 characters, not 255.'],
]

// oxfmt-ignore
const emailRows: readonly Row[] = badEmails.flatMap(([what, value, message]) =>
  [create, update].map((call): Row => [`an email ${what}`, call, { input: { name: 'Ada', email: value } }, [['input.email', message]]]),
)

// oxfmt-ignore
const otherRows: readonly Row[] = [
  ['a blank name',               rename, { name: ' \t\u00a0\n' },             [['name', 'name must not be blank.']]],
  ['a name that cannot be seen', rename, { name: '\u200B\u2800' },            [['name', 'name must not be blank.']]],
  ['an age of -1',               create, { input: { name: 'Ada', age: -1 } }, [['input.age', 'age must be from 0 to 150, not -1.']]],
  ['an age of 151',              update, { input: { age: 151 } },             [['input.age', 'age must be from 0 to 150, not 151.']]],
  ['no name, updating',          update, { input: { name: null } },           [['input.name', 'name must not be null.']]],
  [
    'all that can be wrong with a person, in one error',
    create,
    { input: { name: 'x'.repeat(201), age: 151, email: 'ada', address: { street: '', city: '\ud800', country: '\0' } } },
    [
      ['input.name', 'name must have 1 to 200 characters, not 201.'],
      ['input.age', 'age must be from 0 to 150, not 151.'],
      ['input.email', email],
      ['input.address.street', 'address.street must have 1 to 200 characters, not 0.'],
      ['input.address.city', lone('address.city')],
      ['input.address.country', nul('address.country')],
    ],
  ],
  ...['{ people(limit: $n) { id } }', '{ person(id: 1) { friends(limit: $n) { id } } }'].flatMap(
    (query) =>
      [-1, 101, 5000, -2_147_483_648].map((n): Row => [
        `a limit of ${n} in ${query}`,
        `query ($n: Int) ${query}`,
        { n },
        [['limit', `limit must be from 0 to 100, not ${n}.`]],
      ]),
  ),
  ...['999', '', 'x', '1\0', '\ud800', '01'].map((after): Row => [
    `people after ${JSON.stringify(after)}`,
    'query ($after: ID) { people(after: $after) { id } }',
    { after },
    [['after', 'after must be the id of an existing person.']],
  ]),
  ...['befriend', 'unfriend'].map((change): Row => [
    `${change} oneself`,
    `mutation { ${change}(id: 1, friend: "1") { id } }`,
    {},
    [['friend', 'friend must be another person.']],
  ]),
]

onEachStore('invalid values are BAD_USER_INPUT, with the place and reason', async (t, open) => {
  const { ask } = await open({ seeded: true })
  const all = '{ people(limit: 100) { name age email version address { street city country } } }'
  const before = await ask(all)
  const rows = [...textRows, ...messageRows, ...emailRows, ...otherRows]
  for (const [title, call, variables, faults] of rows) {
    const { errors } = await ask(call, variables)
    const expected = faults.map(([path, message]) => ({ path: path.split('.'), message }))
    t.equal(errors?.length, 1, title)
    t.strictSame(errors?.[0]?.extensions, { code: 'BAD_USER_INPUT', errors: expected }, title)
    t.equal(errors?.[0]?.message, faults.map(([, message]) => message).join(' '), title)
  }
  t.strictSame(await ask(all), before, 'and change nothing')
  t.strictSame(await ask('{ message(id: 1) { text } }'), { data: { message: null } })
})

// oxfmt-ignore
const good: readonly [field: string, value: unknown][] = [
  ['name',    'x'],
  ['name',    'x'.repeat(200)],
  ['name',    '😀'.repeat(200)],
  ['name',    ' Ada '],
  ['name',    'Ada\u0301\u200d\u202e\n"\'\\;--'],
  ['age',     0],
  ['age',     150],
  ['age',     null],
  ['email',   'a@b'],
  ['email',   "o'hara+tag@exämple.org"],
  ['email',   `${'x'.repeat(249)}@x.yz`],
  ['email',   null],
  ['address', null],
  ['address', { street: 'x'.repeat(200), city: '😀'.repeat(200), country: ' ' }],
]

onEachStore('valid values are stored and answered exactly', async (t, open) => {
  const { ask } = await open()
  const fields = '{ name age email address { street city country } }'
  for (const [field, value] of good) {
    const input = { name: 'Ada', [field]: value }
    const { data, errors } = await ask(
      `mutation ($input: CreatePersonInput!) { createPerson(input: $input) ${fields} }`,
      { input },
    )
    t.equal(errors, undefined, `${field}: ${JSON.stringify(value)}`)
    t.strictSame(data.createPerson, { age: null, email: null, address: null, ...input })
  }
  for (const text of ['x', ' ', '😀'.repeat(10_000)]) {
    const query = 'mutation ($text: String!) { sendMessage(to: 1, text: $text) { text } }'
    t.equal((await ask(query, { text })).data?.sendMessage.text, text)
  }
})
