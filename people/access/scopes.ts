import type { Scope } from '../store/store.js'

/** Every scope there is, the weakest first. */
export const allScopes: readonly Scope[] = ['read', 'write']

/** The scopes in a list such as 'read,write', without duplicates; undefined for an empty list or an unknown scope. */
export function readScopes(text: string, separator: string): readonly Scope[] | undefined {
  const words = text.split(separator).map((word) => word.trim())
  if (!words.every((word) => allScopes.some((scope) => scope === word))) return undefined
  return allScopes.filter((scope) => words.includes(scope))
}
