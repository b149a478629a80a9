import {
  amount,
  resolveNumbers,
  type NumberRow,
  type NumbersOf,
  type Resolved,
} from '../../shapes/number-row.js'

export interface LimitRow extends NumberRow {
  /** How the refusal describes a document beyond the limit, after "The document". */
  readonly phrase: (found: number) => string
}

function limitRow(
  value: number,
  phrase: LimitRow['phrase'],
  details: Omit<NumberRow, 'default'> = {},
): LimitRow {
  return { ...amount(value, details), phrase }
}

/** Deeper nesting gets close to a stack overflow in graphql-js, which executes 700 levels. */
export const mostNesting = 256

/** Every limit of documents. To add one, see src/README.md. */
export const limitRows = {
  /** Maximum number of tokens in a document. Default: 2,000. */
  // Beyond it: 400. Reason: bounds the work of the parser and of everything after it.
  maxTokens: limitRow(2000, (found) => `has ${found} tokens`, {
    doc: 'Maximum number of tokens in a document.',
    flag: 'max-tokens',
  }),
  /** Maximum number of lines in a document. Default: 1,000. */
  // Beyond it: 400. Reason: graphql-js counts lines again for the location of each error.
  maxLines: limitRow(1000, (found) => `has ${found} lines`),
  /** Maximum length of a number in a document, in characters. Default: 400. */
  // Beyond it: 400. Reason: scalars may parse it in quadratic time; a double has at most 309 digits
  // before its point.
  maxNumberLength: limitRow(400, (found) => `has a number of ${found} characters`),
  /** Maximum nesting of brackets, through fragments too. Always enforced, even with `reportOnly`. At most 256. Default: 128. */
  // Beyond it: 400; through fragments 422. Reason: deep documents overflow the stack of a recursive
  // parser.
  maxNesting: limitRow(128, (found) => `nests brackets at least ${found} levels deep`, {
    most: mostNesting,
  }),
  /** Maximum nesting of fields. The introspection query of graphql-js has 15 levels. Default: 16. */
  // Beyond it: 422. Reason: work grows with depth.
  maxDepth: limitRow(16, (found) => `nests fields ${found} levels deep`, {
    doc: 'Maximum nesting of fields.',
    flag: 'max-depth',
  }),
  /** Maximum number of aliases in a document. Counted wherever a fragment is spread. Default: 30. */
  // Beyond it: 422. Reason: one document can select one field many times.
  maxAliases: limitRow(30, (found) => `has ${found} aliases`, {
    doc: 'Maximum number of aliases in a document.',
    flag: 'max-aliases',
  }),
  /** Maximum length of aliases and of the names of variables and operations, in characters. Default: 200. */
  // Beyond it: 422. Reason: responses and error paths repeat an alias for each item of a list.
  maxNameLength: limitRow(200, (found) => `has a name of ${found} characters`),
  /** Maximum number of root fields in an operation. Counted after merging, as in execution. Default: 20. */
  // Beyond it: 422. Reason: many root fields are a batch in disguise.
  maxRootFields: limitRow(20, (found) => `asks for ${found} root fields`),
  /** Maximum number of pairs of fields in a document that have selections and the same response name. Default: 20,000. */
  // Beyond it: 422. Reason: validation compares each pair with all that it selects.
  maxFieldPairs: limitRow(20_000, (found) => `has ${found} pairs of fields with the same name`),
  /** Maximum number of directives in a document. Default: 20. */
  // Beyond it: 422. Reason: each is validated and evaluated.
  maxDirectives: limitRow(20, (found) => `has ${found} directives`),
  /** Maximum number of directives at one place. Default: 4. */
  // Beyond it: 422. Reason: repeated directives make validation expensive.
  maxDirectivesPerPlace: limitRow(4, (found) => `has ${found} directives at one place`),
  /** Maximum number of operations and fragments in a document. Default: 50. */
  // Beyond it: 422. Reason: fragments multiply the work of validation.
  maxDefinitions: limitRow(50, (found) => `has ${found} definitions`),
  /** Maximum number of variables of an operation. Default: 100. */
  // Beyond it: 422. Reason: each is coerced before execution.
  maxVariables: limitRow(100, (found) => `declares ${found} variables`),
  /** Maximum number of `__schema` fields in an operation. Default: 1. */
  // Beyond it: 422. Reason: introspection is not part of the cost; the MaxIntrospectionDepthRule of
  // graphql-js also applies.
  maxSchemaFields: limitRow(1, (found) => `asks for __schema ${found} times`),
  /** Maximum number of `__type` fields in an operation. Default: 10. */
  // Beyond it: 422. Reason: introspection is not part of the cost.
  maxTypeFields: limitRow(10, (found) => `asks for __type ${found} times`),
  /** Maximum number of @defer and @stream in an operation. Counted wherever a fragment is spread; those with `if: false` do not count. Default: 20. */
  // Beyond it: 422. Reason: each is executed and delivered by itself.
  maxIncremental: limitRow(20, (found) => `has ${found} @defer and @stream`),
  /** Maximum cost of an operation. Each field costs 1, times the sizes of the lists around it. Default: 25,000. */
  // Beyond it: 422. Reason: depth and list sizes multiply.
  maxCost: limitRow(25_000, (found) => `costs ${found}`, {
    doc: 'Maximum cost of an operation.',
    flag: 'max-cost',
  }),
  /** Maximum size of an introspection result. Each field, list item and 100 characters of text count 1. Default: 600,000. */
  // Beyond it: 422. Reason: introspection is not part of the cost: a document of 658 characters
  // took 3 s and 580 MB.
  maxIntrospectionSize: limitRow(
    600_000,
    (found) => `asks for an introspection of size ${found} or more`,
    {
      doc: 'Maximum size of an introspection result.',
      flag: 'max-introspection-size',
    },
  ),
}

/** Limits of documents, as options. */
export type LimitNumbers = NumbersOf<typeof limitRows>

/** A limit has the name of its option. */
export type LimitName = keyof LimitNumbers

/** The limits of documents with their defaults filled in. */
export type DocumentLimits = Resolved<LimitNumbers>

export const defaultLimits: DocumentLimits = resolveNumbers(limitRows, {})

/** The limits in the order they are checked. */
export const limitNames: readonly LimitName[] = Object.keys(limitRows) as LimitName[]

/** What can be reported instead of enforced: limits, and that only stored documents are executed. */
export type ReportableLimit = LimitName | 'trustedOnly'

/** What `reportOnly` can contain: the limits that protect the parser are always enforced. */
export const reportableLimits: readonly ReportableLimit[] = [
  ...limitNames.filter((name) => name !== 'maxNesting'),
  'trustedOnly',
]

/** Describes a document that exceeds a limit of `reportOnly`; for `trustedOnly`, one document where none is allowed. */
export interface LimitReport {
  readonly limit: ReportableLimit
  readonly allowed: number
  readonly found: number
  /** The source text of the document. */
  readonly document: string
  /** For `trustedOnly`: the id under which the document could be stored, and the `operationName` of the request. */
  readonly documentId?: string
  readonly operationName?: string | undefined
}

/** The limits of a handler and how they are applied. */
export interface LimitSettings {
  readonly limits: DocumentLimits
  /** The limits to report instead of enforce. */
  readonly reportOnly: ReadonlySet<ReportableLimit>
  /** The request is passed on to the hook unchanged; undefined for stored documents at the start. */
  onLimit(this: void, report: LimitReport, request: unknown): void
}
