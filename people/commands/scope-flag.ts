import { allScopes, readScopes } from '../access/scopes.js'
import type { Flag } from '../command-line/flag.js'
import type { Scope } from '../store/store.js'

/** The scopes of a new key or login. */
export const scopeFlag: Flag<readonly Scope[]> = {
  flag: 'scope',
  placeholder: 'scopes',
  doc: `What it may do: ${allScopes.join(', ')} or both, separated by a comma.`,
  fallback: [],
  isRequired: true,
  expected: `${allScopes.join(', ')} or ${allScopes.join(',')}`,
  read: (text) => readScopes(text, ','),
}
