import type { Denial } from 'graphwire'
import type { Scope } from '../store/store.js'
import { anyChallenge } from './authenticate.js'
import type { Principal } from './principal.js'

/** Why the principal lacks the scope; undefined if it has it. `write` includes `read`. */
export function missingScope(
  { scopes, isKnown }: Pick<Principal, 'scopes' | 'isKnown'>,
  scope: Scope,
): Denial | undefined {
  if (scopes.has(scope) || (scope === 'read' && scopes.has('write'))) return undefined
  if (isKnown) {
    return { kind: 'forbidden', message: `The credential does not have the scope ${scope}.` }
  }
  return {
    kind: 'unauthenticated',
    challenge: anyChallenge,
    message: `A credential with the scope ${scope} is required.`,
  }
}
