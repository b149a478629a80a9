import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { createMcpHandler, type McpOptions } from '@graphwire/mcp'
import { createBooks, createMcp, info, ofHandshake, stateless, tools, type Rpc } from './books.js'

interface Listed {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly inputSchema: object
  readonly outputSchema: object
  readonly annotations: object
}

async function list(options: Partial<McpOptions> = {}): Promise<readonly Listed[]> {
  const response = await createMcp(options).send(stateless('tools/list'))
  return response.json<Rpc>().result?.['tools'] as readonly Listed[]
}

const namesOf = async (options: Partial<McpOptions>) =>
  (await list(options)).map(({ name }) => name)

async function describe(tool: McpOptions['tools'][number], options: Partial<McpOptions> = {}) {
  const [only] = await list({ tools: [tool], ...options })
  return only as Listed
}

void t.test('tools are listed in the order of the option, the same each time', async (t) => {
  const names = ['GetBook', 'ListBooks', 'Search', 'Fail', 'Must', 'Slow']
  t.same(await namesOf({}), names)
  t.same(await namesOf({ tools: tools.toReversed() }), names.toReversed())
  const { send } = createMcp()
  t.equal((await send(stateless('tools/list'))).body, (await send(stateless('tools/list'))).body)
})

void t.test('a tool is what its operation says', async (t) => {
  const [getBook, listBooks] = await list()
  t.strictSame(getBook, {
    name: 'GetBook',
    title: 'Get book',
    description: 'Finds a book by its id.\nAsk for the id if you do not know it.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string', description: 'Of which book.' } },
      required: ['id'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        book: {
          type: ['object', 'null'],
          properties: {
            id: { type: 'string' },
            title: { type: 'string' },
            pages: {
              type: ['integer', 'null'],
              format: 'int32',
              minimum: -(2 ** 31),
              maximum: 2 ** 31 - 1,
            },
            genre: { anyOf: [{ $ref: '#/$defs/Genre' }, { type: 'null' }] },
            price: { anyOf: [{ $ref: '#/$defs/Money' }, { type: 'null' }] },
            author: {
              type: ['object', 'null'],
              properties: { name: { type: 'string' } },
              required: ['name'],
            },
          },
          required: ['id', 'title', 'pages', 'genre', 'price', 'author'],
          description: 'One book, or null if there is none.',
        },
      },
      required: ['book'],
      $defs: {
        Genre: { type: 'string', enum: ['NOVEL', 'POEM'] },
        Money: { description: 'An amount with its currency.' },
      },
    },
    annotations: { readOnlyHint: true },
  })
  t.match(listBooks?.inputSchema, {
    properties: { limit: { description: 'At most so many.', default: 10 } },
    $defs: {
      Filter: { properties: { not: { anyOf: [{ $ref: '#/$defs/Filter' }, { type: 'null' }] } } },
    },
  })
  t.notOk('required' in (listBooks?.inputSchema ?? {}))
})

void t.test('the words for the model', async (t) => {
  const words = async (tool: McpOptions['tools'][number]) => (await describe(tool)).description
  const book = 'query A { book(id: 1) { id } }'
  t.equal(await words(book), 'One book, or null if there is none.', 'of the first field')
  t.equal(await words(`# One.\n#   Two.\n${book}`), 'One.\n  Two.', 'the comment above')
  t.equal(await words(`# far away\n\n# near\n${book}`), 'near')
  t.equal(await words(`# far away\n\n${book}`), 'One book, or null if there is none.')
  t.equal(await words(`#import "x.graphql"\n${book}`), 'One book, or null if there is none.')
  t.equal(await words(`# no\n"Its own." ${book}`), 'Its own.', 'the description')
  t.equal(await words({ operation: `# no\n${book}`, description: 'Mine.' }), 'Mine.', 'the option')
  t.equal(await words('query A { __typename }'), undefined)
  t.equal((await describe({ operation: book, title: 'My title' })).title, 'My title')
})

void t.test('the words for an argument', async (t) => {
  const words = async (operation: string) => {
    const { inputSchema } = await describe(operation)
    return (inputSchema as { properties: { id: { description?: string } } }).properties.id
      .description
  }
  t.equal(await words('query A("Its own." $id: ID!) { book(id: $id) { id } }'), 'Its own.')
  t.equal(
    await words('query A($id: ID!) { ...F } fragment F on Query { book(id: $id) { id } }'),
    'Of which book.',
  )
  t.equal(await words('query A($id: ID!) { ... { book(id: $id) { id } } }'), 'Of which book.')
  t.equal(await words('query A($id: String!) { search(text: $id) { __typename } }'), undefined)
})

void t.test('mutations need the option', async (t) => {
  const tool = 'mutation RemoveBook($id: ID!) { removeBook(id: $id) }'
  t.throws(() => createMcp({ tools: [tool] }), {
    message: /"RemoveBook": it is a mutation; set mutations: true/,
  })
  const hints = async (destructive?: boolean) =>
    (
      await describe(
        { operation: tool, ...(destructive !== undefined && { destructive }) },
        { mutations: true },
      )
    ).annotations
  t.strictSame(await hints(), { readOnlyHint: false, destructiveHint: true })
  t.strictSame(await hints(false), { readOnlyHint: false, destructiveHint: false })
  const { call } = createMcp({ tools: [tool], mutations: true })
  t.same((await call('RemoveBook', { id: '1' })).structuredContent, { removeBook: true })
})

void t.test('the operations of one document are tools of their own', async (t) => {
  const document = 'query A { ...F } query B { ...F } fragment F on Query { books { id } }'
  t.same(await namesOf({ tools: [document] }), ['A', 'B'])
  const { call } = createMcp({ tools: [document] })
  t.same((await call('B')).structuredContent, { books: [{ id: '1' }, { id: '2' }] })
})

void t.test('the schemas of scalars are given', async (t) => {
  const { outputSchema } = await describe('query A { books { price } }', {
    scalars: { Money: { type: 'string', pattern: '^\\d+ [A-Z]{3}$' } },
  })
  t.match(outputSchema, {
    $defs: { Money: { type: 'string', description: 'An amount with its currency.' } },
  })
})

const calls: [name: string, args: object][] = [
  ['GetBook', { id: '1' }],
  ['GetBook', { id: '2' }],
  ['GetBook', { id: 'none' }],
  ['ListBooks', {}],
  ['ListBooks', { limit: 1, filter: { not: { genre: 'POEM' }, titles: ['Emma'] } }],
  ['Search', { text: 'x' }],
  ['Search', { text: 'x', withPages: true }],
]

for (const [name, args] of calls) {
  void t.test(`${name} of ${JSON.stringify(args)} fits its schemas`, async (t) => {
    const ajv = new Ajv2020({ strict: true, formats: { int32: true }, allowUnionTypes: true })
    const tool = (await list()).find((one) => one.name === name)
    t.ok(ajv.validate(tool?.inputSchema ?? {}, args), ajv.errorsText())
    const { structuredContent } = await createMcp().call(name, args)
    t.ok(ajv.validate(tool?.outputSchema ?? {}, structuredContent), ajv.errorsText())
  })
}

void t.test('limits of documents do not apply to the documents of tools', async (t) => {
  t.match(await describe('query A { book(id: 1) { author { name } } }', { maxDepth: 1 }), {
    name: 'A',
  })
})

// oxfmt-ignore
const mistakes: [
  name: string,
  options: Partial<McpOptions> | { [name: string]: unknown },
  expected: RegExp,
][] = [
  ['no tools',                      { tools: [] },                                                   /tools: expected a list of at least one document or tool/],
  ['a tool that is a number',       { tools: [5] },                                                  /tools\[0\]: expected a document or an object such as/], 
  ['a tool with an unknown member', { tools: [{ operation: 'x', titel: '' }] },                      /tools\[0\]\.titel is not an option/],
  ['no info',                       { info: undefined },                                             /info: expected an object such as { name, version }/],
  ['an option of GraphQL alone',    { introspection: false },                                        /introspection is not an option/],
  ['a time that is negative',       { toolsTtl: -1 },                                                /toolsTtl/],
  ['a document with a syntax error', { tools: ['query {'] }, /Tool "query {": it is not valid for the schema: Syntax Error.*[^.]\.$/],
  ['a document that does not fit',  { tools: ['query A { nothing }'] },                              /Cannot query field "nothing"/],
  ['no operation',                  { tools: ['fragment F on Query { must }'] },                     /Tool "fragment F on Query \{ must \}": /],
  ['no name',                       { tools: ['{ must }'] },                                         /Tool "\{ must \}": its operation needs a name/],
  ['two operations with one title', { tools: [{ operation: 'query A { must } query B { must }' }] }, /exactly one operation/],
  ['the same name twice',           { tools: ['query A { must }', 'query A { slow }'] },             /Tool "A": there are two/],
  ['a name that is too long',       { tools: [`query ${'A'.repeat(129)} { must }`] },                /not be longer than 128/],
  ['a subscription',                { tools: ['subscription A { added { id } }'], mutations: true }, /cannot be a subscription/],
  ['a destructive query', { tools: [{ operation: 'query A { must }', destructive: true }] }, /destructive is for mutations/],
]

for (const [name, options, expected] of mistakes) {
  void t.test(`${name}: says what is wrong`, async (t) => {
    const all = { schema: createBooks(), tools, info, ...options } as McpOptions
    t.throws(() => createMcpHandler(all), { name: 'TypeError', message: expected })
  })
}

void t.test('a schema for each request has tools of its own', async (t) => {
  const schemas = [createBooks(), createBooks()]
  let asked = 0
  const { send } = createMcp({ schema: async () => schemas[asked++ % 2] as (typeof schemas)[0] })
  for (const at of [1, 2, 3]) {
    const { result } = (await send(ofHandshake('tools/list'))).json<Rpc>()
    t.match(result, { tools: [{ name: 'GetBook' }] })
    t.equal(asked, at, 'asked for once')
  }
})
