import type { Refusal } from '../refusal.js'

/** The code of a refusal, for programs: one for each kind, the same on every surface. */
export function codeOf({ kind }: Refusal): string {
  return codes[kind] ?? kind.toUpperCase().replaceAll('-', '_')
}

/** Codes whose names clients know already; the others are the kind in capitals. */
const codes: { readonly [kind in Refusal['kind']]?: string } = {
  internal: 'INTERNAL_SERVER_ERROR',
  'operation-not-allowed': 'METHOD_NOT_ALLOWED',
  'mutation-by-query': 'MUTATION_NOT_SUPPORTED',
}
