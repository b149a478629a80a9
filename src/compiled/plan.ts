import type {
  FieldNode,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLNamedOutputType,
  GraphQLObjectType,
  GraphQLResolveInfo,
} from 'graphql'

/** The path of graphql-js: an element and those before it. */
export type Path = GraphQLResolveInfo['path']

/** A field of graphql-js with any source and context. */
export type FieldDefinition = GraphQLField<unknown, unknown>

/**
 * How a value is completed. The first five are built-in scalars whose methods are those of graphql-js: their
 * usual values are written at once. `leaf` is any other scalar or enum.
 */
export type ValueKind =
  | 'String'
  | 'Int'
  | 'Float'
  | 'Boolean'
  | 'ID'
  | 'leaf'
  | 'list'
  | 'object'
  | 'abstract'
  | 'typename'

/**
 * A position of the response that a value is completed for: that of a field, or of the items of a list. All
 * members are always set, in one order: the interpreter then sees records of one shape.
 */
export interface ValuePlan {
  readonly field: FieldPlan
  /** The position of the object or list that contains this one; undefined for root fields. */
  readonly parent: ValuePlan | undefined
  /** How many positions contain this one: the length of its path, less one. */
  readonly depth: number
  readonly isItem: boolean
  readonly kind: ValueKind
  readonly nonNull: boolean
  /** Whether a failure makes the parent null: of non-null positions, unless error propagation is disabled. */
  readonly climbs: boolean
  /** Undefined for lists. */
  readonly type: GraphQLNamedOutputType | undefined
  readonly item: ValuePlan | undefined
  /** The fields of an object; compiled when the first object comes. */
  selection: Selection | undefined
  /** The fields for each type of an abstract position, by name; compiled when the first object of it comes. */
  readonly selections: Map<string, Selection>
}

/** A field of one selection set, with all nodes of its response name merged. */
export interface FieldPlan {
  readonly kind: ValueKind
  readonly key: string
  /** `,"key":` as little-endian words, padded; of `__typename` with the value. */
  readonly words: Int32Array
  readonly keyLength: number
  readonly definition: FieldDefinition
  /** The resolver that the field had last, and what it was before graphql-js needed a wrapper around it. */
  resolver: FieldDefinition['resolve']
  original: GraphQLFieldResolver<unknown, unknown> | undefined
  /** Reads the property of the field's name. */
  readonly read: (source: Readable) => unknown
  readonly args: ArgumentsPlan
  readonly parentType: GraphQLObjectType
  readonly nodes: readonly FieldNode[]
  /** Set right after the record was made, since both refer to each other. */
  value: ValuePlan
}

/** An argument whose value is that of a variable, or always the same primitive. */
export interface ArgumentPlan {
  readonly name: string
  readonly variable: string | undefined
  readonly value: unknown
}

/** How the arguments of a field are read. */
export interface ArgumentsPlan {
  /** Undefined if graphql-js has to read them at each call. */
  readonly entries: readonly ArgumentPlan[] | undefined
  /** Whether a request can make reading them fail: then they are read even if no resolver is called. */
  readonly mayFail: boolean
}

export interface Readable {
  readonly [name: string]: unknown
}

/** The fields of one object type at one position. */
export interface Selection {
  readonly type: GraphQLObjectType
  readonly fields: readonly FieldPlan[]
}
