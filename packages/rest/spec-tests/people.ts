import { GraphQLError } from 'graphql'
import type { Route } from '@graphwire/rest'
import { buildSchema, type OperationRequest } from 'graphwire'

/** A person as the tests keep it. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly age: number | null
  readonly address: { readonly city: string | null } | null
  readonly version: number
}

interface Input {
  readonly name: string
  readonly age?: number | null
  readonly address?: { readonly city: string | null } | null
}

const sdl = `
  type Query {
    person(id: ID!): Person
    people(limit: Int = 2, after: ID, sort: Sort, tags: [Int!], exact: Boolean, least: Float): [Person!]
    numbered(number: Int!): Person
    fails(how: String!): Person
    echo(text: String!): String
    long: String
    thing: Thing
  }
  enum Sort { NAME AGE }
  type Thing { marks: [Int!] }
  type Person { id: ID!  name: String!  age: Int  address: Address  version: Int! }
  type Address { city: String }
  type Message { id: ID!  to: Person!  text: String! }
  input PersonInput { name: String!  age: Int  address: AddressInput }
  input PersonPatch { name: String  age: Int  address: AddressInput }
  input AddressInput { city: String }
  type Mutation {
    create(input: PersonInput!): Person
    update(id: ID!, input: PersonPatch!, ifVersion: Int, count: Float): Person
    replace(id: ID!, input: PersonInput!, ifVersion: Int): Person
    put(id: ID!, input: PersonInput!, ifVersion: Int): Person
    remove(id: ID!, ifVersion: Int): Person
    send(to: ID!, text: String!): Message
  }
`

/** A schema over people of its own, of which two are there: "1" in version 3, and "2" in version 1. */
export function createPeople() {
  const people = new Map<string, Person>()
  const put = (person: Person): Person => {
    people.set(person.id, person)
    return person
  }
  put({ id: '1', name: 'Ann', age: 40, address: { city: 'Ulm' }, version: 3 })
  put({ id: '2', name: 'Bo', age: null, address: null, version: 1 })

  const change = async (
    id: string,
    ifVersion: number | null | undefined,
    next: (person: Person) => Person,
  ): Promise<Person | null> => {
    // Two writers are both here before either goes on.
    await Promise.resolve()
    const person = people.get(id)
    if (person === undefined) return null
    if (ifVersion != null && ifVersion !== person.version) {
      throw fault('CONFLICT', `The version is ${person.version}.`)
    }
    return put({ ...next(person), id, version: person.version + 1 })
  }
  const checkName = (name: string | null | undefined): void => {
    if (name !== 'bad') return
    throw fault('BAD_USER_INPUT', 'Some values are wrong.', {
      errors: [{ path: ['input', 'name'], message: 'Not this name.' }],
    })
  }
  const whole = (input: Input, id: string): Person => ({
    id,
    version: 1,
    name: input.name,
    age: input.age ?? null,
    address: input.address ?? null,
  })
  const schema = buildSchema(sdl, {
    Query: {
      person: (_: unknown, { id }: { id: string }) => people.get(id) ?? null,
      people: (_: unknown, { limit }: { limit: number }) => [...people.values()].slice(0, limit),
      numbered: (_: unknown, { number }: { number: number }) => people.get(String(number)) ?? null,
      fails: (_: unknown, { how }: { how: string }) => failures[how]?.(),
      echo: (_: unknown, { text }: { text: string }) => text,
      long: () => 'x'.repeat(2000),
    },
    Mutation: {
      create: (_: unknown, { input }: { input: Input }) => {
        checkName(input.name)
        return put(whole(input, String(people.size + 1)))
      },
      update: (_: unknown, { id, input, ifVersion }: Change) => {
        checkName(input.name)
        return change(id, ifVersion, (person) => ({ ...person, ...input }))
      },
      replace: (_: unknown, { id, input, ifVersion }: Change) =>
        change(id, ifVersion, () => whole(input, id)),
      put: async (_: unknown, { id, input, ifVersion }: Change) =>
        (await change(id, ifVersion, () => whole(input, id))) ??
        (ifVersion === undefined || ifVersion === -1 ? put(whole(input, id)) : null),
      remove: async (_: unknown, { id, ifVersion }: Change) => {
        const removed = await change(id, ifVersion, (person) => person)
        people.delete(id)
        return removed
      },
      send: (_: unknown, { to, text }: { to: string; text: string }) => {
        const person = people.get(to)
        if (person === undefined) {
          const errors = [{ path: ['to'], message: 'Nobody has this id.' }]
          throw fault('NOT_FOUND', 'There is nobody to send it to.', { errors })
        }
        return { id: 'm/1', to: person, text }
      },
    },
  })
  return { schema, people }
}

interface Change {
  readonly id: string
  readonly input: Input
  readonly ifVersion?: number | null
}

function fault(code: string, message: string, more: object = {}): Error {
  return new GraphQLError(message, { extensions: { code, ...more } })
}

const failWith = (error: () => Error) => (): never => {
  throw error()
}

const failures: { readonly [how: string]: () => never } = {
  bug: failWith(() => new Error('secret')),
  uncoded: failWith(() => new GraphQLError('shown to GraphQL')),
  own: failWith(() => fault('TEAPOT', 'Short and stout.')),
  unauthenticated: failWith(() => fault('UNAUTHENTICATED', 'Who are you?')),
  forbidden: failWith(() => fault('FORBIDDEN', 'Not you.')),
  limited: failWith(() => fault('RATE_LIMITED', 'Slowly.', { retryAfter: 7.2 })),
  away: failWith(() => fault('UNAVAILABLE', 'The database is away.', { retryAfter: 3 })),
  away2: failWith(() => fault('UNAVAILABLE', 'The database is away.')),
  conflict: failWith(() => fault('CONFLICT', 'It is taken.')),
  how: failWith(() => {
    const errors = [{ path: ['how'], message: 'Not so.' }]
    return fault('BAD_USER_INPUT', 'Wrong.', { errors })
  }),
}

const fields = '{ id name age address { city } version }'

/** Routes of each kind. */
// oxfmt-ignore
export const routes: readonly Route<OperationRequest>[] = [
  {
    method: 'GET',
    path: '/people',
    operation: `query People($limit: Int = 2, $after: ID, $sort: Sort, $tags: [Int!], $exact: Boolean, $least: Float) {
      people(limit: $limit, after: $after, sort: $sort, tags: $tags, exact: $exact, least: $least) { id name }
    }`,
    parameters: { limit: { minimum: 1, maximum: 100 }, least: { minimum: 0.5 }, tags: { maximum: 9 } },
    headers: (value, { target, variables }) => ({ Link: `<${target}#${(value as unknown[]).length}-${String(variables['limit'])}>; rel="next"` }),
  },
  { method: 'GET', path: '/person/{id}', operation: `query Person($id: ID!) { person(id: $id) ${fields} }`, version: 'version', absent: 'Nobody has this id.' },
  { method: 'GET', path: '/person/me',   operation: `{ person(id: "2") { id } }` },
  {
    method: 'POST',
    path: '/person',
    when: 'id',
    body: 'input',
    ifMatch: 'v',
    version: 'version',
    operation: `mutation Merge($id: ID!, $input: PersonPatch!, $v: Int) {
      update(id: $id, input: $input, ifVersion: $v) ${fields}
    }`,
  },
  {
    method: 'POST',
    path: '/person',
    body: 'input',
    status: 201,
    location: '/person/{id}',
    version: 'version',
    operation: `mutation Create($input: PersonInput!) { create(input: $input) ${fields} }`,
  },
  {
    method: 'PUT',
    path: '/person/{id}',
    body: 'input',
    ifMatch: 'v',
    version: 'version',
    operation: `mutation Replace($id: ID!, $input: PersonInput!, $v: Int) {
      replace(id: $id, input: $input, ifVersion: $v) ${fields}
    }`,
  },
  {
    method: 'PUT',
    path: '/maybe-new/{id}',
    body: 'input',
    ifMatch: 'v',
    operation: 'mutation Put($id: ID!, $input: PersonInput!, $v: Int) { put(id: $id, input: $input, ifVersion: $v) { version } }',
  },
  {
    method: 'PATCH',
    path: '/person/{id}',
    body: 'input',
    ifMatch: 'v',
    version: 'version',
    accepts: ['application/merge-patch+json'],
    operation: `mutation Patch($id: ID!, $input: PersonPatch!, $v: Int) {
      update(id: $id, input: $input, ifVersion: $v) ${fields}
    }`,
  },
  {
    method: 'DELETE',
    path: '/person/{id}',
    ifMatch: 'v',
    version: 'version',
    operation: `mutation Remove($id: ID!, $v: Int) { remove(id: $id, ifVersion: $v) ${fields} }`,
  },
  {
    method: 'POST',
    path: '/message',
    status: 201,
    location: '/message/{id}',
    operation: 'mutation Send($to: ID!, $text: String!) { send(to: $to, text: $text) { id text } }',
  },
  { method: 'GET',  path: '/numbered/{number}', operation: 'query Numbered($number: Int!) { numbered(number: $number) { id } }' },
  { method: 'GET',  path: '/fails',             operation: 'query Fails($how: String!) { fails(how: $how) { id } }' },
  { method: 'POST', path: '/fails',             operation: 'query FailsToo($how: String!) { fails(how: $how) { id } }' },
  { method: 'GET',  path: '/echo/{text}',       operation: 'query Echo($text: String!) { echo(text: $text) }' },
  {
    method: 'PUT',
    path: '/switched/{on}',
    body: 'input',
    operation: `mutation Switch($on: Boolean!, $input: PersonPatch!) {
      update(id: "1", input: $input) @include(if: $on) { id }
    }`,
  },
  {
    method: 'PUT',
    path: '/counted/{count}',
    body: 'input',
    operation: 'mutation Count($count: Float!, $input: PersonPatch!) { update(id: "1", input: $input, count: $count) { id } }',
  },
  { method: 'GET',  path: '/long',             operation: 'query Long { long }' },
  { method: 'POST', path: '/only', when: 'to', operation: 'mutation Only($to: ID!) { send(to: $to, text: "x") { id } }' },
]
