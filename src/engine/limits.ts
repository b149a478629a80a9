/** What a document may be at most. */
export interface DocumentLimits {
  /** Lexical tokens. Default: 2,000. */
  readonly maxTokens: number
  /** Lines; graphql-js counts them anew for the place of each error. Default: 1,000. */
  readonly maxLines: number
  /** Brackets within each other, through fragments too; at most 256, and never only reported. Default: 128. */
  readonly maxNesting: number
  /** Fields within each other; graphql-js's introspection query has 15 levels. Default: 16. */
  readonly maxDepth: number
  /** Fields under another name, counted wherever a fragment is spread. Default: 30. */
  readonly maxAliases: number
  /** Fields at the root, as execution merges them. Default: 20. */
  readonly maxRootFields: number
  /** Directives in the whole document. Default: 20. */
  readonly maxDirectives: number
  /** Directives at one place. Default: 4. */
  readonly maxDirectivesPerPlace: number
  /** Operations and fragments. Default: 50. */
  readonly maxDefinitions: number
  /** Variables of an operation. Default: 100. */
  readonly maxVariables: number
  /** `__schema` in an operation. Default: 1. */
  readonly maxSchemaFields: number
  /** `__type` in an operation. Default: 10. */
  readonly maxTypeFields: number
  /** Lists that introspection asks of a type; one within another counts four times. Default: 4. */
  readonly maxTypeLists: number
  /** Cost of an operation: 1 for each field, times the sizes of the lists around it. Default: 10,000. */
  readonly maxCost: number
}

/** The name of a limit, which is that of its option. */
export type LimitName = keyof DocumentLimits

/** Every limit with its default. */
export const defaultLimits: DocumentLimits = {
  maxTokens: 2000,
  maxLines: 1000,
  maxNesting: 128,
  maxDepth: 16,
  maxAliases: 30,
  maxRootFields: 20,
  maxDirectives: 20,
  maxDirectivesPerPlace: 4,
  maxDefinitions: 50,
  maxVariables: 100,
  maxSchemaFields: 1,
  maxTypeFields: 10,
  maxTypeLists: 4,
  maxCost: 10_000,
}

/** Deeper than this, graphql-js comes near the end of the stack: it executes 700 levels. */
export const mostNesting = 256

/** What `reportOnly` reports: a document was taken although it exceeds a limit. */
export interface LimitReport {
  readonly limit: LimitName
  readonly allowed: number
  readonly found: number
  /** The source text of the document. */
  readonly document: string
}

/** The limits of a handler and how they are applied. */
export interface LimitSettings {
  readonly limits: DocumentLimits
  /** Those that report instead of refuse. */
  readonly reportOnly: ReadonlySet<LimitName>
  readonly onLimit: (report: LimitReport) => void
}
