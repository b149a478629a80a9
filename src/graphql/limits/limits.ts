import {
  resolveNumbers,
  type NumberRow,
  type NumberRows,
  type Resolved,
} from '../../shapes/number-row.js'

/** Limits of documents, as options. */
export interface LimitNumbers {
  /** Maximum number of tokens in a document. Default: 2,000. */
  readonly maxTokens?: number | undefined
  /** Maximum number of lines in a document. Default: 1,000. */
  readonly maxLines?: number | undefined
  /** Maximum length of a number in a document, in characters. Default: 400. */
  readonly maxNumberLength?: number | undefined
  /** Maximum nesting of brackets, through fragments too. Always enforced, even with `reportOnly`. At most 256. Default: 128. */
  readonly maxNesting?: number | undefined
  /** Maximum nesting of fields. The introspection query of graphql-js has 15 levels. Default: 16. */
  readonly maxDepth?: number | undefined
  /** Maximum number of aliases in a document. Counted wherever a fragment is spread. Default: 30. */
  readonly maxAliases?: number | undefined
  /** Maximum length of aliases and of the names of variables and operations, in characters. Default: 200. */
  readonly maxNameLength?: number | undefined
  /** Maximum number of root fields in an operation. Counted after merging, as in execution. Default: 20. */
  readonly maxRootFields?: number | undefined
  /** Maximum number of pairs of fields in a document that have selections and the same response name. Default: 20,000. */
  readonly maxFieldPairs?: number | undefined
  /** Maximum number of directives in a document. Default: 20. */
  readonly maxDirectives?: number | undefined
  /** Maximum number of directives at one place. Default: 4. */
  readonly maxDirectivesPerPlace?: number | undefined
  /** Maximum number of operations and fragments in a document. Default: 50. */
  readonly maxDefinitions?: number | undefined
  /** Maximum number of variables of an operation. Default: 100. */
  readonly maxVariables?: number | undefined
  /** Maximum number of `__schema` fields in an operation. Default: 1. */
  readonly maxSchemaFields?: number | undefined
  /** Maximum number of `__type` fields in an operation. Default: 10. */
  readonly maxTypeFields?: number | undefined
  /** Maximum number of @defer and @stream in an operation. Counted wherever a fragment is spread; those with `if: false` do not count. Default: 20. */
  readonly maxIncremental?: number | undefined
  /** Maximum cost of an operation. Each field costs 1, times the sizes of the lists around it. Default: 25,000. */
  readonly maxCost?: number | undefined
  /** Maximum size of an introspection result. Each field, list item and 100 characters of text count 1. Default: 600,000. */
  readonly maxIntrospectionSize?: number | undefined
}

/** The limits of documents with their defaults filled in. */
export type DocumentLimits = Resolved<LimitNumbers>

/** A limit has the name of its option. */
export type LimitName = keyof LimitNumbers

export interface LimitRow extends NumberRow {
  /** How the refusal describes a document beyond the limit, after "The document". */
  readonly phrase: (found: number) => string
}

/** Deeper nesting gets close to a stack overflow in graphql-js, which executes 700 levels. */
export const mostNesting = 256

/** Every limit of documents. To add one, see src/README.md. */
export const limitRows: NumberRows<LimitNumbers> & {
  readonly [name in LimitName]: LimitRow
} = {
  maxTokens: {
    doc: 'Maximum number of tokens in a document.',
    default: 2000,
    flag: 'max-tokens',
    refusal: '400',
    why: 'bounds the work of the parser and of everything after it',
    phrase: (found) => `has ${found} tokens`,
  },
  maxLines: {
    doc: 'Maximum number of lines in a document.',
    default: 1000,
    refusal: '400',
    why: 'graphql-js counts lines again for the location of each error',
    phrase: (found) => `has ${found} lines`,
  },
  maxNumberLength: {
    doc: 'Maximum length of a number in a document, in characters.',
    default: 400,
    refusal: '400',
    why: 'scalars may parse it in quadratic time; a double has at most 309 digits before its point',
    phrase: (found) => `has a number of ${found} characters`,
  },
  maxNesting: {
    doc: 'Maximum nesting of brackets, through fragments too.',
    note: 'Always enforced, even with `reportOnly`.',
    default: 128,
    most: mostNesting,
    refusal: '400; through fragments 422',
    why: 'deep documents overflow the stack of a recursive parser',
    phrase: (found) => `nests brackets at least ${found} levels deep`,
  },
  maxDepth: {
    doc: 'Maximum nesting of fields.',
    note: 'The introspection query of graphql-js has 15 levels.',
    default: 16,
    flag: 'max-depth',
    refusal: '422',
    why: 'work grows with depth',
    phrase: (found) => `nests fields ${found} levels deep`,
  },
  maxAliases: {
    doc: 'Maximum number of aliases in a document.',
    note: 'Counted wherever a fragment is spread.',
    default: 30,
    flag: 'max-aliases',
    refusal: '422',
    why: 'one document can select one field many times',
    phrase: (found) => `has ${found} aliases`,
  },
  maxNameLength: {
    doc: 'Maximum length of aliases and of the names of variables and operations, in characters.',
    default: 200,
    refusal: '422',
    why: 'responses and error paths repeat an alias for each item of a list',
    phrase: (found) => `has a name of ${found} characters`,
  },
  maxRootFields: {
    doc: 'Maximum number of root fields in an operation.',
    note: 'Counted after merging, as in execution.',
    default: 20,
    refusal: '422',
    why: 'many root fields are a batch in disguise',
    phrase: (found) => `asks for ${found} root fields`,
  },
  maxFieldPairs: {
    doc: 'Maximum number of pairs of fields in a document that have selections and the same response name.',
    default: 20_000,
    refusal: '422',
    why: 'validation compares each pair with all that it selects',
    phrase: (found) => `has ${found} pairs of fields with the same name`,
  },
  maxDirectives: {
    doc: 'Maximum number of directives in a document.',
    default: 20,
    refusal: '422',
    why: 'each is validated and evaluated',
    phrase: (found) => `has ${found} directives`,
  },
  maxDirectivesPerPlace: {
    doc: 'Maximum number of directives at one place.',
    default: 4,
    refusal: '422',
    why: 'repeated directives make validation expensive',
    phrase: (found) => `has ${found} directives at one place`,
  },
  maxDefinitions: {
    doc: 'Maximum number of operations and fragments in a document.',
    default: 50,
    refusal: '422',
    why: 'fragments multiply the work of validation',
    phrase: (found) => `has ${found} definitions`,
  },
  maxVariables: {
    doc: 'Maximum number of variables of an operation.',
    default: 100,
    refusal: '422',
    why: 'each is coerced before execution',
    phrase: (found) => `declares ${found} variables`,
  },
  maxSchemaFields: {
    doc: 'Maximum number of `__schema` fields in an operation.',
    default: 1,
    refusal: '422',
    why: 'introspection is not part of the cost; the MaxIntrospectionDepthRule of graphql-js also applies',
    phrase: (found) => `asks for __schema ${found} times`,
  },
  maxTypeFields: {
    doc: 'Maximum number of `__type` fields in an operation.',
    default: 10,
    refusal: '422',
    why: 'introspection is not part of the cost',
    phrase: (found) => `asks for __type ${found} times`,
  },
  maxIncremental: {
    doc: 'Maximum number of @defer and @stream in an operation.',
    note: 'Counted wherever a fragment is spread; those with `if: false` do not count.',
    default: 20,
    refusal: '422',
    why: 'each is executed and delivered by itself',
    phrase: (found) => `has ${found} @defer and @stream`,
  },
  maxCost: {
    doc: 'Maximum cost of an operation.',
    note: 'Each field costs 1, times the sizes of the lists around it.',
    default: 25_000,
    flag: 'max-cost',
    refusal: '422',
    why: 'depth and list sizes multiply',
    phrase: (found) => `costs ${found}`,
  },
  maxIntrospectionSize: {
    doc: 'Maximum size of an introspection result.',
    note: 'Each field, list item and 100 characters of text count 1.',
    default: 600_000,
    flag: 'max-introspection-size',
    refusal: '422',
    why: 'introspection is not part of the cost: a document of 658 characters took 3 s and 580 MB',
    phrase: (found) => `asks for an introspection of size ${found} or more`,
  },
}

export const defaultLimits: DocumentLimits = resolveNumbers<LimitNumbers>(limitRows, {})

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
