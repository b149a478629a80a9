import { createRestHandler, type Route } from '@graphwire/rest'
import type { Handler } from 'graphwire'
import { compiledExecution } from 'graphwire/compiled'
import { createMcpHandler } from '@graphwire/mcp'
import { anyChallenge, denyWrite } from './access/principal.js'
import type { Context } from './schema/context.js'
import type { Parts, SharedOptions } from './shared-options.js'
import type { Person } from './store/store.js'

const person = '{ id name age email address { street city country } version }'
const message = '{ id to { id name } text sentAt }'

const update = `($id: ID!, $input: UpdatePersonInput!, $ifVersion: Int) {
  updatePerson(id: $id, input: $input, ifVersion: $ifVersion) ${person}
}`
const replace = `mutation ReplacePerson($id: ID!, $input: CreatePersonInput!, $ifVersion: Int) {
  replacePerson(id: $id, input: $input, ifVersion: $ifVersion) ${person}
}`

const onPerson = { version: 'version', absent: 'No person has this id.', tags: ['People'] } as const
const onWrite = { ...onPerson, body: 'input', ifMatch: 'ifVersion' } as const
const onMessage = { absent: 'No message has this id.', tags: ['Messages'] } as const

const onChanges = {
  method: 'GET',
  stream: true,
  description:
    'One event for each committed write, in order. Its id is where a client that connects again with `Last-Event-ID` continues, at any instance, for at least 1,000 changes or ten minutes. Later the first event is a problem with code POSITION_TOO_OLD, and new changes follow.',
  tags: ['People'],
} as const
const change = `{ kind id person ${person} }`

export const peopleRoutes: readonly Route<Context>[] = [
  {
    method: 'GET',
    path: '/people',
    operation:
      'query ListPeople($limit: Int, $after: ID) { people(limit: $limit, after: $after) { id name } }',
    parameters: {
      limit: {
        description: 'The maximum number of people. Default: 10.',
        minimum: 1,
        maximum: 100,
      },
      after: { description: 'Starts after the person with this id.' },
    },
    headers: (people, { context, variables: { limit }, target }) =>
      context.hasMorePeople ? linkToNext(people as readonly Person[], limit, target) : undefined,
    headerDescriptions: { Link: 'The next page, as rel="next"; absent on the last page.' },
    summary: 'List people',
    description:
      'People in order of creation, one page at a time. `Link` with rel="next" points to the next page, if there is one.',
    tags: ['People'],
  },
  {
    ...onChanges,
    path: '/people/changes',
    operation: `subscription FollowPeople { personChanged ${change} }`,
    summary: 'Follow the changes of all people',
  },
  {
    ...onPerson,
    method: 'GET',
    path: '/person/{id}',
    operation: `query GetPerson($id: ID!) { person(id: $id) ${person} }`,
    summary: 'Read a person',
    description: 'The ETag is the version of the person, which every write increments.',
  },
  {
    ...onChanges,
    path: '/person/{id}/changes',
    operation: `subscription FollowPerson($id: ID!) { personChanged(id: $id) ${change} }`,
    summary: 'Follow the changes of a person',
  },
  {
    ...onWrite,
    method: 'POST',
    path: '/person',
    when: 'id',
    operation: `mutation MergePerson${update}`,
    summary: 'Update the person named in the body',
    description:
      'Absent members keep their value, null clears, and the address is merged member by member.',
  },
  {
    ...onPerson,
    method: 'POST',
    path: '/person',
    operation: `mutation CreatePerson($input: CreatePersonInput!) { createPerson(input: $input) ${person} }`,
    body: 'input',
    status: 201,
    location: '/person/{id}',
    summary: 'Create a person',
    description: 'The body has no id; the service assigns one.',
  },
  {
    ...onWrite,
    method: 'PUT',
    path: '/person/{id}',
    operation: replace,
    summary: 'Replace a person',
    description: 'Absent members are cleared. An id in the body must equal the one in the path.',
  },
  {
    ...onWrite,
    method: 'PUT',
    path: '/person',
    operation: replace,
    summary: 'Replace the person named in the body',
    description: 'Absent members are cleared.',
  },
  {
    ...onWrite,
    method: 'PATCH',
    path: '/person/{id}',
    operation: `mutation PatchPerson${update}`,
    accepts: ['application/merge-patch+json'],
    summary: 'Update a person',
    description:
      'A merge patch (RFC 7396): absent members keep their value, null clears, and the address is merged member by member.',
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
      'Returns the deleted person. Friendships with the person end, and messages to the person can no longer be read.',
  },
  {
    ...onMessage,
    method: 'POST',
    path: '/message',
    operation: `mutation SendMessage($to: ID!, $text: String!) { sendMessage(to: $to, text: $text) ${message} }`,
    status: 201,
    location: '/message/{id}',
    summary: 'Send a message',
    description: 'Returns the message, with the id and name of the recipient in `to`.',
  },
  {
    ...onMessage,
    method: 'GET',
    path: '/message/{id}',
    operation: `query GetMessage($id: ID!) { message(id: $id) ${message} }`,
    summary: 'Read a message',
    description: 'A message to a deleted person is not found.',
  },
]

/** Serves the routes, with the same schema, checks and limits as GraphQL. */
export function createResources(
  shared: SharedOptions,
  { records }: Pick<Parts, 'records'>,
): Handler {
  return createRestHandler({
    ...shared,
    onRoute: (route, head) => records.note(head, { route }),
    routes: peopleRoutes,
    methodOverride: true,
    statusOfCode: { POSITION_TOO_OLD: 410 },
    challenge: anyChallenge,
    authorize: ({ route, principal }) =>
      route.method === 'GET' ? undefined : denyWrite(principal),
  })
}

/** The `Link` of RFC 8288 to the page after the last person, under the path of the request. */
function linkToNext(people: readonly Pick<Person, 'id'>[], limit: unknown, target: string) {
  const query = new URLSearchParams({
    ...(typeof limit === 'number' && { limit: String(limit) }),
    after: people.at(-1)?.id ?? '',
  })
  return { Link: `<${target.split('?', 1)[0]}?${query.toString()}>; rel="next"` }
}

/** The tools of the service, which only read. The comments are for the model that calls them. */
const tools = `
  # Lists people in order of creation, one page at a time. For the next page, pass the id of the last person as "after".
  query ListPeople($limit: Int = 10, $after: ID) {
    people(limit: $limit, after: $after) { id name }
  }

  # Reads one person, with address and friends. The person is null if nobody has the id.
  query GetPerson($id: ID!, $friends: Int = 10) {
    person(id: $id) { id name age email address { street city country } friends(limit: $friends) { id name } version }
  }

  # Reads a message that was sent to a person. It is null if there is none.
  query GetMessage($id: ID!) {
    message(id: $id) { id to { id name } text sentAt }
  }
`

export function createTools(shared: SharedOptions, version: string): Handler {
  return createMcpHandler({
    ...shared,
    execution: compiledExecution(),
    credentialsFirst: true,
    tools: [tools],
    info: { name: 'people', version },
    instructions:
      'People with their friends and addresses, and messages to them. The tools only read.',
  })
}
