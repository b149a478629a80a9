import type { Route } from 'graphwire'
import type { Person } from './store/store.js'
import type { Context } from './schema/context.js'

const person = '{ id name age email address { street city country } version }'
const message = '{ id to { id name } text sentAt }'

const update = `($id: ID!, $input: UpdatePersonInput!, $ifVersion: Int) {
  updatePerson(id: $id, input: $input, ifVersion: $ifVersion) ${person}
}`
const replace = `mutation ReplacePerson($id: ID!, $input: CreatePersonInput!, $ifVersion: Int) {
  replacePerson(id: $id, input: $input, ifVersion: $ifVersion) ${person}
}`

/** What the routes that answer a person have in common. */
const onPerson = { version: 'version', absent: 'Nobody has this id.', tags: ['People'] } as const
const onMessage = { absent: 'No message has this id.', tags: ['Messages'] } as const

/** The resource-style endpoints of the service. */
export const peopleRoutes: readonly Route<Context>[] = [
  {
    method: 'GET',
    path: '/people',
    operation:
      'query ListPeople($limit: Int, $after: ID) { people(limit: $limit, after: $after) { id name } }',
    parameters: {
      limit: { description: 'How many persons at most. Default: 10.', minimum: 1, maximum: 100 },
      after: { description: 'Starts behind the person with this id.' },
    },
    headers: (people, { context, variables, target }) =>
      context.hasMorePeople
        ? linkToNext(people as readonly Person[], variables, target)
        : undefined,
    headerDescriptions: { Link: 'With rel="next", where the next page is, while there is one.' },
    summary: 'List persons',
    description:
      'The persons in the order of their creation, page by page: `Link` with rel="next" leads on while there is more.',
    tags: ['People'],
  },
  {
    ...onPerson,
    method: 'GET',
    path: '/person/{id}',
    operation: `query GetPerson($id: ID!) { person(id: $id) ${person} }`,
    summary: 'Read a person',
    description: 'The ETag is made from the version of the person, which each write counts.',
  },
  {
    ...onPerson,
    method: 'POST',
    path: '/person',
    when: 'id',
    operation: `mutation MergePerson${update}`,
    body: 'input',
    ifMatch: 'ifVersion',
    summary: 'Change the person that the body names',
    description: 'What is absent stays, null clears, and the address is merged part by part.',
  },
  {
    ...onPerson,
    method: 'POST',
    path: '/person',
    operation: `mutation CreatePerson($input: CreatePersonInput!) { createPerson(input: $input) ${person} }`,
    body: 'input',
    status: 201,
    location: '/person/{id}',
    summary: 'Add a person',
    description: 'The body has no id: a new one is given.',
  },
  {
    ...onPerson,
    method: 'PUT',
    path: '/person/{id}',
    operation: replace,
    body: 'input',
    ifMatch: 'ifVersion',
    summary: 'Replace a person',
    description: 'What is absent is cleared. An id in the body must be that of the path.',
  },
  {
    ...onPerson,
    method: 'PUT',
    path: '/person',
    operation: replace,
    body: 'input',
    ifMatch: 'ifVersion',
    summary: 'Replace the person that the body names',
    description: 'What is absent is cleared.',
  },
  {
    ...onPerson,
    method: 'PATCH',
    path: '/person/{id}',
    operation: `mutation PatchPerson${update}`,
    body: 'input',
    ifMatch: 'ifVersion',
    accepts: ['application/merge-patch+json'],
    summary: 'Change a person',
    description:
      'A merge patch (RFC 7396): what is absent stays, null clears, and the address is merged part by part.',
  },
  {
    ...onPerson,
    method: 'DELETE',
    path: '/person/{id}',
    operation: `mutation DeletePerson($id: ID!, $ifVersion: Int) {
      deletePerson(id: $id, ifVersion: $ifVersion) ${person}
    }`,
    ifMatch: 'ifVersion',
    summary: 'Delete a person',
    description:
      'Answers the person that was deleted. Its friendships end, and messages to it are out of sight.',
  },
  {
    ...onMessage,
    method: 'POST',
    path: '/message',
    operation: `mutation SendMessage($to: ID!, $text: String!) { sendMessage(to: $to, text: $text) ${message} }`,
    status: 201,
    location: '/message/{id}',
    summary: 'Send a text to a person',
    description: 'Answers the message, with the id and the name of the person in `to`.',
  },
  {
    ...onMessage,
    method: 'GET',
    path: '/message/{id}',
    operation: `query GetMessage($id: ID!) { message(id: $id) ${message} }`,
    summary: 'Read a message',
    description: 'A message to a person who has been deleted is out of sight.',
  },
]

/** The `Link` of RFC 8288 to the page behind the last person, under the path that was asked. */
function linkToNext(
  people: readonly Pick<Person, 'id'>[],
  { limit }: { readonly [name: string]: unknown },
  target: string,
): { readonly Link: string } | undefined {
  const last = people.at(-1)
  if (last === undefined) return undefined
  const query = new URLSearchParams({
    ...(typeof limit === 'number' && { limit: String(limit) }),
    after: last.id,
  })
  return { Link: `<${target.split('?', 1)[0]}?${query.toString()}>; rel="next"` }
}
