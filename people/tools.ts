import type { IncomingMessage } from 'node:http'
import type { Handler } from 'graphwire'
import { compiledExecution } from 'graphwire/compiled'
import { createMcpHandler } from 'graphwire/mcp'
import { readVersion } from './pages.js'
import type { SharedOptions } from './shared-options.js'

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

/** Serves the tools, with the same schema, checks and limits as GraphQL. */
export function createTools(shared: SharedOptions): Handler<IncomingMessage> {
  return createMcpHandler({
    ...shared,
    execution: compiledExecution(),
    credentialsFirst: true,
    tools: [tools],
    info: { name: 'people', version: readVersion() },
    instructions:
      'People with their friends and addresses, and messages to them. The tools only read.',
  })
}
