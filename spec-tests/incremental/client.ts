import { installedGraphQL, deliversIncrementally } from '../../src/graphql/js/graphql.js'
import { testClient, type TestRequest, type TestResponse } from '../../src/hosts/testing.js'
import type { Handler } from '../../src/index.js'
import { mergeParts, type Merged } from './merge-parts.js'
import { bodyOf, readParts } from './read-parts.js'

/** Why tests of this folder do not run with graphql 16. */
export const without17: string | false =
  !deliversIncrementally(installedGraphQL) && 'graphql 16 cannot execute @defer'

/** What a client asks for, by the name of a format. */
export const accepts = {
  'v0.2': 'multipart/mixed;incrementalSpec=v0.2',
  '20220824': 'multipart/mixed;deferSpec=20220824',
} as const

export type Format = keyof typeof accepts

export const formats = ['v0.2', '20220824'] as const satisfies readonly Format[]

export interface PartsClient {
  send(this: void, request: TestRequest): Promise<TestResponse>
  ask(this: void, query: string, format: Format, variables?: object): Promise<TestResponse>
  parts(this: void, query: string, format: Format, variables?: object): Promise<readonly unknown[]>
  merged(this: void, query: string, format: Format, variables?: object): Promise<Merged>
}

export function partsClient(handler: Handler): PartsClient {
  const send = testClient(handler)
  const ask: PartsClient['ask'] = (query, format, variables) =>
    send({ json: { query, variables }, headers: { Accept: accepts[format] } })
  const parts: PartsClient['parts'] = async (query, format, variables) =>
    partsOf(await ask(query, format, variables))
  const merged: PartsClient['merged'] = async (query, format, variables) =>
    mergeParts(await parts(query, format, variables), format)
  return { send, ask, parts, merged }
}

async function partsOf(response: TestResponse): Promise<readonly unknown[]> {
  const body = await bodyOf(response)
  if (response.status !== 200) throw new Error(`${response.status}: ${body}`)
  return readParts(response.headers.get('content-type') ?? '', body)
}
