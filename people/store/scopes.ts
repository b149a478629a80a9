import type { Scope } from './store.js'

/** Scopes as one column has them. */
export function formatScopes(scopes: readonly Scope[]): string {
  return scopes.join(',')
}

export function toScopes(text: string): readonly Scope[] {
  return text.split(',').filter((word): word is Scope => word === 'read' || word === 'write')
}
