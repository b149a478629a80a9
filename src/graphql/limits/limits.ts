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
  details: Omit<NumberRow, 'default'>,
): LimitRow {
  return { ...amount(value, details), phrase }
}

/** Deeper nesting gets close to a stack overflow in graphql-js, which executes 700 levels. */
export const mostNesting = 256

/** Every limit of documents. To add one, see src/README.md. */
export const limitRows = {
  /** Maximum number of tokens in a document. Default: 2,000. */
  maxTokens: limitRow(2000, (found) => `has ${found} tokens`, {
    doc: 'Maximum number of tokens in a document.',
    flag: 'max-tokens',
    refusal: '400',
    why: 'bounds the work of the parser and of everything after it',
  }),
  /** Maximum number of lines in a document. Default: 1,000. */
  maxLines: limitRow(1000, (found) => `has ${found} lines`, {
    doc: 'Maximum number of lines in a document.',
    refusal: '400',
    why: 'graphql-js counts lines again for the location of each error',
  }),
  /** Maximum length of a number in a document, in characters. Default: 400. */
  maxNumberLength: limitRow(400, (found) => `has a number of ${found} characters`, {
    doc: 'Maximum length of a number in a document, in characters.',
    refusal: '400',
    why: 'scalars may parse it in quadratic time; a double has at most 309 digits before its point',
  }),
  /** Maximum nesting of brackets, through fragments too. Always enforced, even with `reportOnly`. At most 256. Default: 128. */
  maxNesting: limitRow(128, (found) => `nests brackets at least ${found} levels deep`, {
    doc: 'Maximum nesting of brackets, through fragments too.',
    note: 'Always enforced, even with `reportOnly`.',
    most: mostNesting,
    refusal: '400; through fragments 422',
    why: 'deep documents overflow the stack of a recursive parser',
  }),
  /** Maximum nesting of fields. The introspection query of graphql-js has 15 levels. Default: 16. */
  maxDepth: limitRow(16, (found) => `nests fields ${found} levels deep`, {
    doc: 'Maximum nesting of fields.',
    note: 'The introspection query of graphql-js has 15 levels.',
    flag: 'max-depth',
    refusal: '422',
    why: 'work grows with depth',
  }),
  /** Maximum number of aliases in a document. Counted wherever a fragment is spread. Default: 30. */
  maxAliases: limitRow(30, (found) => `has ${found} aliases`, {
    doc: 'Maximum number of aliases in a document.',
    note: 'Counted wherever a fragment is spread.',
    flag: 'max-aliases',
    refusal: '422',
    why: 'one document can select one field many times',
  }),
  /** Maximum length of aliases and of the names of variables and operations, in characters. Default: 200. */
  maxNameLength: limitRow(200, (found) => `has a name of ${found} characters`, {
    doc: 'Maximum length of aliases and of the names of variables and operations, in characters.',
    refusal: '422',
    why: 'responses and error paths repeat an alias for each item of a list',
  }),
  /** Maximum number of root fields in an operation. Counted after merging, as in execution. Default: 20. */
  maxRootFields: limitRow(20, (found) => `asks for ${found} root fields`, {
    doc: 'Maximum number of root fields in an operation.',
    note: 'Counted after merging, as in execution.',
    refusal: '422',
    why: 'many root fields are a batch in disguise',
  }),
  /** Maximum number of pairs of fields in a document that have selections and the same response name. Default: 20,000. */
  maxFieldPairs: limitRow(20_000, (found) => `has ${found} pairs of fields with the same name`, {
    doc: 'Maximum number of pairs of fields in a document that have selections and the same response name.',
    refusal: '422',
    why: 'validation compares each pair with all that it selects',
  }),
  /** Maximum number of directives in a document. Default: 20. */
  maxDirectives: limitRow(20, (found) => `has ${found} directives`, {
    doc: 'Maximum number of directives in a document.',
    refusal: '422',
    why: 'each is validated and evaluated',
  }),
  /** Maximum number of directives at one place. Default: 4. */
  maxDirectivesPerPlace: limitRow(4, (found) => `has ${found} directives at one place`, {
    doc: 'Maximum number of directives at one place.',
    refusal: '422',
    why: 'repeated directives make validation expensive',
  }),
  /** Maximum number of operations and fragments in a document. Default: 50. */
  maxDefinitions: limitRow(50, (found) => `has ${found} definitions`, {
    doc: 'Maximum number of operations and fragments in a document.',
    refusal: '422',
    why: 'fragments multiply the work of validation',
  }),
  /** Maximum number of variables of an operation. Default: 100. */
  maxVariables: limitRow(100, (found) => `declares ${found} variables`, {
    doc: 'Maximum number of variables of an operation.',
    refusal: '422',
    why: 'each is coerced before execution',
  }),
  /** Maximum number of `__schema` fields in an operation. Default: 1. */
  maxSchemaFields: limitRow(1, (found) => `asks for __schema ${found} times`, {
    doc: 'Maximum number of `__schema` fields in an operation.',
    refusal: '422',
    why: 'introspection is not part of the cost; the MaxIntrospectionDepthRule of graphql-js also applies',
  }),
  /** Maximum number of `__type` fields in an operation. Default: 10. */
  maxTypeFields: limitRow(10, (found) => `asks for __type ${found} times`, {
    doc: 'Maximum number of `__type` fields in an operation.',
    refusal: '422',
    why: 'introspection is not part of the cost',
  }),
  /** Maximum number of @defer and @stream in an operation. Counted wherever a fragment is spread; those with `if: false` do not count. Default: 20. */
  maxIncremental: limitRow(20, (found) => `has ${found} @defer and @stream`, {
    doc: 'Maximum number of @defer and @stream in an operation.',
    note: 'Counted wherever a fragment is spread; those with `if: false` do not count.',
    refusal: '422',
    why: 'each is executed and delivered by itself',
  }),
  /** Maximum cost of an operation. Each field costs 1, times the sizes of the lists around it. Default: 25,000. */
  maxCost: limitRow(25_000, (found) => `costs ${found}`, {
    doc: 'Maximum cost of an operation.',
    note: 'Each field costs 1, times the sizes of the lists around it.',
    flag: 'max-cost',
    refusal: '422',
    why: 'depth and list sizes multiply',
  }),
  /** Maximum size of an introspection result. Each field, list item and 100 characters of text count 1. Default: 600,000. */
  maxIntrospectionSize: limitRow(
    600_000,
    (found) => `asks for an introspection of size ${found} or more`,
    {
      doc: 'Maximum size of an introspection result.',
      note: 'Each field, list item and 100 characters of text count 1.',
      flag: 'max-introspection-size',
      refusal: '422',
      why: 'introspection is not part of the cost: a document of 658 characters took 3 s and 580 MB',
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
