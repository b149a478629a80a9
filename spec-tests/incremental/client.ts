import { installedGraphQL, deliversIncrementally } from '../../src/graphql/js/graphql.js'
import { testClient, type TestResponse } from '../../src/hosts/testing.js'
import type { Handler } from '../../src/index.js'
import { mergeParts } from './merge-parts.js'
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

export function partsClient(handler: Handler) {
  const send = testClient(handler)
  const ask = (query: string, format: Format) =>
    send({ json: { query }, headers: { Accept: accepts[format] } })
  const parts = async (query: string, format: Format) => partsOf(await ask(query, format))
  const merged = async (query: string, format: Format) =>
    mergeParts(await parts(query, format), format)
  return { send, ask, parts, merged }
}

async function partsOf(response: TestResponse): Promise<readonly unknown[]> {
  const body = await bodyOf(response)
  if (response.status !== 200) throw new Error(`${response.status}: ${body}`)
  return readParts(response.headers.get('content-type') ?? '', body)
}
