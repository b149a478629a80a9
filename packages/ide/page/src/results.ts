/** What the page reads of a result. */
export interface Result extends Part {
  readonly data?: unknown
  readonly hasNext?: boolean
  readonly incremental?: readonly Part[]
  readonly completed?: readonly Part[]
}

interface Part {
  readonly errors?: readonly ResultError[]
}

interface ResultError {
  readonly message: string
  readonly extensions?: { readonly code?: unknown }
}

export type ResultTone = 'good' | 'partial' | 'bad'

/** Anything but a JSON object has the tone of a failure. Results with `@defer` have errors in their parts, too. */
export function toneOf(result: Result | undefined): ResultTone {
  if (result === undefined) return 'bad'
  const parts = [result, ...(result.incremental ?? []), ...(result.completed ?? [])]
  if (parts.every((part) => !hasErrors(part))) return 'good'
  return 'data' in result || 'hasNext' in result ? 'partial' : 'bad'
}

export function hasErrors({ errors = [] }: Part): boolean {
  return errors.length > 0
}

/** The code of the first error. */
export function codeOf(result: Result | undefined): string | undefined {
  const code = result?.errors?.[0]?.extensions?.code
  return typeof code === 'string' ? code : undefined
}

export function parseResult(text: string): Result | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
