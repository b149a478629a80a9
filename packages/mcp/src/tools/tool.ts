import { either, listOf, objectOf, required, type Shape, aBoolean, aString } from 'graphwire/base'

/** A named operation that clients can call as a tool, with facts that its document does not contain. */
export interface Tool {
  /** A document with one named operation, whose name is that of the tool. */
  readonly operation: string
  /** Default: the name in words. */
  readonly title?: string | undefined
  /** For the model. Default: the description of the operation, the comment above it, or the description of its first field. */
  readonly description?: string | undefined
  /** Whether a mutation may overwrite or delete something; clients may then ask their user first. Default: true. */
  readonly destructive?: boolean | undefined
}

/** A tool, or a document whose named operations are tools. */
export type ToolSource = string | Tool

const aDocument: Shape = { ...aString, expected: 'a document' }

const aTool: Shape = objectOf<Tool>('{ operation }', {
  operation: required(aString),
  title: aString,
  description: aString,
  destructive: aBoolean,
})

/** The valid values of the option `tools`. */
export const toolsShape: Shape = {
  ...listOf('a list of at least one document or tool', either(aDocument, aTool)),
  fits: (value) => Array.isArray(value) && value.length > 0,
}
