export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

/** A status, a class of them, any of a list, or none of them. */
export type StatusCheck = number | string | readonly StatusCheck[] | { readonly not: StatusCheck }

export interface HeaderCheck {
  readonly equals?: string
  readonly pattern?: string
  /** The pattern in words. */
  readonly means?: string
  readonly present?: true
  readonly absent?: true
  readonly media?: string | readonly string[]
  readonly charset?: string
  readonly tokens?: readonly string[]
  readonly noTokens?: readonly string[]
}

export interface JsonCheck {
  readonly const?: Json
  readonly type?: JsonType | readonly JsonType[]
  readonly absent?: true
  readonly present?: true
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  /** A template stands for a number of an earlier response. */
  readonly maximum?: number | string
  readonly pattern?: string
  /** The pattern in words. */
  readonly means?: string
  readonly keys?: readonly string[]
  readonly each?: JsonCheck
  readonly members?: { readonly [name: string]: JsonCheck }
}

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/** A check of the body as bytes. */
export interface BodyCheck {
  readonly empty?: boolean
  readonly json?: true
  readonly utf8?: true
  readonly bom?: false
  readonly length?: 'content-length'
}
