import { readFileSync } from 'node:fs'
import { buildSchema, execute, Kind, getOperationAST, parse, validate } from 'graphql'
import type { DocumentNode, GraphQLSchema } from 'graphql'
import type { Call, Params } from './call.js'
import type { Has } from './defects.js'
import { Documents } from './find-document.js'
import { answerService } from './service.js'
import { ReceivedFile } from './uploads.js'

/** A GraphQL response with the status that it has by itself. */
export interface Outcome {
  readonly status: number
  readonly result: { readonly data?: unknown; readonly errors?: readonly object[] }
}

interface Person {
  readonly id: string
  readonly name: string
  readonly friends: readonly string[]
}

/** Runs requests on the standard schema, with the state of one server. */
export class Engine {
  readonly #has: Has
  readonly #documents: Documents
  readonly #schema: GraphQLSchema = buildSchema(readText('schema.graphql'))
  readonly #root: object

  constructor(has: Has) {
    this.#has = has
    this.#documents = new Documents(has)
    this.#root = createRoot(has)
    const parseValue = (value: unknown): unknown => {
      const isFile = value instanceof ReceivedFile || value instanceof Error
      if (isFile || has('upload-not-a-file')) return value
      throw new TypeError('It is not a file.')
    }
    // The names of graphql 16 and 17.
    const scalar = this.#schema.getType('Upload') as object
    Object.assign(scalar, { parseValue, coerceInputValue: parseValue })
  }

  async run(params: unknown, { method }: Call): Promise<Outcome> {
    const has = this.#has
    if (typeof params !== 'object' || params === null || Array.isArray(params))
      return failed(422, 'No map.')
    const given = params as Params
    if (method === 'QUERY') {
      if (has('query-unknown-property') && 'graphwireUnknown' in given)
        return failed(422, 'Unknown.')
      if (has('query-null') && Object.values(given).includes(null)) return failed(422, 'null.')
    }
    const found = this.#documents.find(given)
    if (!('text' in found)) return { status: found.status, result: { errors: found.errors } }
    const service = answerService(found.text, has)
    if (service !== undefined) return { status: 200, result: { data: service } }
    return this.#runText(found.text, given, method)
  }

  async #runText(text: string, given: Params, method: string): Promise<Outcome> {
    const has = this.#has
    const document = parseText(text)
    if (document === undefined) {
      return failed(method === 'QUERY' && has('query-syntax') ? 422 : 400, 'Syntax.')
    }
    const errors = validate(this.#schema, document)
    const isHash = given['query'] === undefined
    if (errors.length > 0) {
      if (isHash && has('apq-invalid')) return { status: 200, result: { data: {} } }
      return {
        status: has('query-validation') && method === 'QUERY' ? 400 : 422,
        result: { errors },
      }
    }
    const name = this.#operationName(given, document, method)
    const operation = getOperationAST(document, name)?.operation
    if (operation === undefined) {
      return failed(
        given['documentId'] !== undefined && has('document-unclear') ? 200 : 422,
        'Which?',
      )
    }
    const refused = this.#checkSafety(operation, document, given, method)
    return refused ?? this.#execute(document, name, given, method)
  }

  #operationName(given: Params, document: DocumentNode, method: string): string | undefined {
    const has = this.#has
    const { operationName, documentId } = given
    if (documentId !== undefined && has('document-operation')) return undefined
    if (method === 'QUERY' && has('query-operation-name')) return undefined
    if (typeof operationName === 'string') return operationName
    if (method !== 'QUERY' || !has('query-first-operation')) return undefined
    const [first] = document.definitions
    return first?.kind === Kind.OPERATION_DEFINITION ? first.name?.value : undefined
  }

  #checkSafety(
    operation: string,
    document: DocumentNode,
    given: Params,
    method: string,
  ): Outcome | undefined {
    const has = this.#has
    const isStored = given['documentId'] !== undefined
    if (method === 'POST') {
      return isStored && operation === 'mutation' && has('document-post-mutation')
        ? failed(422, 'No.')
        : undefined
    }
    if (method === 'QUERY') {
      const any = has('query-any-mutation') && JSON.stringify(document).includes('"mutation"')
      if (operation !== 'mutation') return any ? failed(422, 'A mutation is there.') : undefined
      const runs =
        has('query-mutation') ||
        has('batch-query-method') ||
        (isStored && has('document-query-mutation'))
      return runs
        ? undefined
        : failed(has('query-mutation-405') ? 405 : 422, 'No mutation by QUERY.')
    }
    return operation === 'mutation' && !has('get-mutation')
      ? failed(405, 'No mutation by GET.')
      : undefined
  }

  async #execute(
    document: DocumentNode,
    operationName: string | undefined,
    given: Params,
    method: string,
  ): Promise<Outcome> {
    const has = this.#has
    const isStored = given['documentId'] !== undefined
    const dropped = isStored && has('document-variables')
    const variableValues = dropped
      ? { b: true, s: '' }
      : ((given['variables'] ?? {}) as Record<string, unknown>)
    if (Array.isArray(variableValues) || typeof variableValues !== 'object')
      return failed(422, 'No map.')
    const options = { schema: this.#schema, document, rootValue: this.#root, variableValues }
    const result = await execute(
      operationName === undefined ? options : { ...options, operationName },
    )
    if (result.data === undefined) {
      const lax =
        (method === 'QUERY' && has('query-coercion')) ||
        (isStored && has('document-coercion')) ||
        (given['query'] === undefined && has('apq-coercion'))
      return { status: lax ? 200 : 422, result }
    }
    const isOdd =
      (method === 'QUERY' && has('query-status')) || (isStored && has('document-status'))
    if (result.errors === undefined) return { status: isOdd ? 202 : 200, result }
    return { status: method === 'QUERY' && has('query-field-error') ? 200 : 294, result }
  }
}

function failed(status: number, message: string): Outcome {
  return { status, result: { errors: [{ message }] } }
}

function parseText(text: string): DocumentNode | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

interface Files {
  readonly files: readonly object[]
}

function createRoot(has: Has): object {
  const stored = JSON.parse(readText('persons.json')) as Person[]
  const persons = new Map(stored.map((person) => [person.id, person]))
  const find = (id: string): object | undefined => {
    const person = persons.get(id)
    return person && { ...person, friends: () => person.friends.map(find) }
  }
  let counter = 0
  return {
    person: ({ id }: { id: string }) => find(id),
    echo: ({ s }: { s: string }) => s,
    fail: () => Promise.reject(new Error('It fails.')),
    failNonNull: () => Promise.reject(new Error('It fails.')),
    slow: ({ ms }: { ms: number }) => new Promise((done) => setTimeout(done, ms, String(ms))),
    counter: () => counter,
    increment: () => ++counter,
    receiveFiles: ({ files }: Files) => files,
    ignoreFiles: ({ files }: Files) => {
      if (has('upload-unread')) throw new Error('Nobody reads them.')
      return files.length
    },
    renamePerson: ({ id, name }: { id: string; name: string }) => {
      const person = persons.get(id)
      if (person === undefined) return null
      persons.set(id, { ...person, name })
      return find(id)
    },
  }
}

function readText(name: string): string {
  return readFileSync(new URL(`../../../../../fixtures/standard/${name}`, import.meta.url), 'utf8')
}
