import { parse, type GraphQLSchema, validate } from 'graphql'

/** Why a body is refused before GraphQL has a say, or its document. */
export type Expected = { readonly status: number } | { readonly query: string }

export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

/** What must become of a body, by the platform's own decoder and parser. */
export function expectOfBytes(bytes: Uint8Array): Expected {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return { status: 400 }
  }
  if (depthOf(json) > 128) return { status: 400 }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { status: 422 }
  const given = new Map(Object.entries(json))
  const query = given.get('query')
  if (typeof query !== 'string') return { status: 422 }
  const name = given.get('operationName') ?? ''
  const maps = [given.get('variables') ?? {}, given.get('extensions') ?? {}]
  const areMaps = maps.every((one) => typeof one === 'object' && !Array.isArray(one))
  return typeof name === 'string' && areMaps ? { query } : { status: 422 }
}

export function expectOfDocument(schema: GraphQLSchema, query: string): readonly number[] {
  try {
    const document = parse(query)
    return validate(schema, document).length > 0 ? [422] : [200, 294, 422]
  } catch {
    return [400]
  }
}
