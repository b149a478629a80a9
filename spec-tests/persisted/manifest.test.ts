import t from 'tap'
import { testClient } from '../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import { createHandler, type DocumentSource } from '../../src/index.js'
import { findManifestFault } from '../../src/persisted/manifest.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'

const schema = createStandardSchema()
const text = '{ echo(s: "a") }'
const hash = '1fcf40fd1d60ba2cb1b23ecbf4a3ce4ea2df4f10d1bb7ee5bd39ecfa3e1f1d62'

/** What the tools write: https://www.npmjs.com/package/@apollo/generate-persisted-query-manifest and others. */
const apollo = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [{ id: 'a1', name: 'A', type: 'query', body: text }],
} as const

const notFound = { errors: [{ extensions: { code: 'DOCUMENT_NOT_FOUND' } }] }

// oxfmt-ignore
const manifests: readonly [title: string, documents: DocumentSource][] = [
  ['documents by id',                  { a1: text }],
  ['a Map',                            new Map([['a1', text]])],
  ['the manifest of Apollo',           apollo],
  ['a store that answers at once',     { get: (id: string) => (id === 'a1' ? text : undefined) }],
  ['a store that answers later',       { get: async (id: string) => (id === 'a1' ? text : null) }],
]
for (const [title, documents] of manifests) {
  void t.test(`clients can name the documents of ${title}`, async (t) => {
    const send = testClient(createHandler({ schema, documents }))
    const known = await send({ json: { documentId: 'a1' } })
    t.equal(known.status, 200)
    t.match(known.json(), { data: { echo: 'a' } })
    const unknown = await send({ json: { documentId: 'b1' } })
    t.match(unknown.json(), notFound)
  })
}

void t.test('a store is called as a method', async (t) => {
  class Table {
    readonly #texts = new Map([['a1', text]])
    get(id: string): string | undefined {
      return this.#texts.get(id)
    }
  }
  const send = testClient(createHandler({ schema, documents: new Table() }))
  t.equal((await send({ json: { documentId: 'a1' } })).status, 200)
})

void t.test('a store is not asked for an empty id, nor for one that is too long', async (t) => {
  const asked: string[] = []
  const documents = { get: (id: string) => void asked.push(id) }
  const send = testClient(createHandler({ schema, documents }))
  for (const documentId of ['', 'a'.repeat(10_000), 'b1']) {
    t.match((await send({ json: { documentId } })).json(), notFound)
  }
  t.same(asked, ['b1'])
})

// oxfmt-ignore
const faults: readonly [value: unknown, fault: RegExp][] = [
  [7,                                                      /^m: expected documents by id such as/],
  [[],                                                     /^m: expected documents by id such as/],
  [{ a: 7 },                                               /^m: expected the text of the document "a", got 7/],
  [new Map([[7, 'x']]),                                    /^m: expected an id that is a string, got 7/],
  [{ ...apollo, version: 2 },                              /format "apollo-persisted-query-manifest" and version 1, got .* and 2/],
  [{ ...apollo, format: 'other' },                         /got "other" and 1/],
  [{ ...apollo, operations: [apollo.operations[0], { id: 'a1', body: '{ x }' }] }, /^m\.operations\[1\]: the id "a1" names another document in an earlier operation\./],
  [{ ...apollo, operations: [apollo.operations[0], {}] },  /^m\.operations\[1\]: expected \{ id, name, type, body \}/],
]
for (const [value, fault] of faults) {
  void t.test(`the manifest ${JSON.stringify(value)} is refused`, async (t) => {
    t.match(findManifestFault(value, 'm'), fault)
  })
}

// oxfmt-ignore
const mistakes: readonly [title: string, options: object, message: RegExp][] = [
  ['documents that are no documents',    { documents: 'a.json' },                        /documents: expected documents by id/],
  ['an empty id',                        { documents: { '': text } },                    /the document "": The id must not be empty/],
  ['a long id',                          { documents: { ['x'.repeat(257)]: text } },     /at most 256 characters/],
  ['an id in upper case',                { documents: { [`sha256:${hash.toUpperCase()}`]: text } }, /64 hexadecimal digits in lower case/],
  ['an id that is not the hash',         { documents: { [`sha256:${hash}`]: text } },    /not the SHA-256 of the text/],
  ['a document with a syntax error',     { documents: { a: '{' } },                      /the document "a": Syntax Error/],
  ['a document of another schema',       { documents: { a: '{ x }' } },                  /the document "a": Cannot query field "x"/],
  ['a document beyond a limit',          { documents: { a: text }, maxDepth: 0 },        /nests fields 1 levels deep/],
  ['a long document',                    { documents: { a: text }, maxDocumentLength: 9 }, /longer than maxDocumentLength, which is 9/],
  ['trustedOnly without documents',      { trustedOnly: true },                          /trustedOnly requires documents/],
  ['trustedOnly with apq',               { documents: {}, trustedOnly: true, apq: {} },  /trustedOnly or apq, not both/],
  ['documentPath without documents',     { documentPath: true, path: '/graphql' },       /documentPath requires documents/],
  ['documentPath without path',          { documentPath: true, documents: {} },          /documentPath requires path/],
  ['a store and its size',               { apq: { store: new Map(), maxBytes: 1 } },     /store or maxBytes, not both/],
  ['a store that cannot be written',     { apq: { store: { get: () => undefined } } },   /apq\.store: expected a store with get\(id\) and set/],
]
for (const [title, options, message] of mistakes) {
  void t.test(`${title}: a TypeError at the start`, async (t) => {
    t.throws(() => createHandler({ schema, ...options }), { name: 'TypeError', message })
  })
}

void t.test('with onInvalidDocument, only requests of invalid documents fail', async (t) => {
  const reported: string[] = []
  const documents = { good: text, bad: '{ x }', [`sha256:${hash}`]: text }
  const onInvalidDocument = ({ id }: { readonly id: string }) => void reported.push(id)
  const send = testClient(createHandler({ schema, documents, onInvalidDocument }))
  t.same(reported, [`sha256:${hash}`, 'bad'])
  const codes = await Promise.all(
    Object.keys(documents).map(async (documentId) => {
      const response = await send({ json: { documentId } })
      const { errors } = response.json<{ errors?: { extensions: { code: string } }[] }>()
      return errors?.[0]?.extensions.code ?? response.status
    }),
  )
  t.same(codes, [200, 'GRAPHQL_VALIDATION_FAILED', 'DOCUMENT_NOT_FOUND'])
})

void t.test('documents for a schema of each request are checked when used', async (t) => {
  const send = testClient(createHandler({ schema: () => schema, documents: { bad: '{ x }' } }))
  t.match((await send({ json: { documentId: 'bad' } })).json(), { errors: [{ message: /"x"/ }] })
})

void t.test('routes have their own documents', async (t) => {
  const options = { schema, routes: [], documents: {} } as never
  t.throws(() => createRestHandler(options), /documents is not an option/)
})
