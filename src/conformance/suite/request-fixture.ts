import type { Json } from './checks.js'

/** Field lines by name; null prevents a field from being added. */
export interface HeaderLines {
  readonly [name: string]: string | null | readonly string[]
}

/** A request that any HTTP client can send. */
export interface RequestFixture {
  readonly method?: string
  readonly path?: string
  readonly query?: { readonly [name: string]: string }
  readonly rawQuery?: string
  readonly headers?: HeaderLines
  readonly json?: Json
  readonly text?: string
  readonly hex?: string
  readonly repeat?: Repeat
  readonly before?: string
  readonly after?: string
  readonly parts?: readonly (string | CountedRepeat)[]
}

export interface Repeat {
  readonly text: string
  readonly times: number
}

/** Text many times over, in which the counter stands for 0, 1 and so on. */
export interface CountedRepeat extends Repeat {
  readonly counter?: string
}
