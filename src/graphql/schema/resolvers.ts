import type {
  ConstValueNode,
  GraphQLFieldResolver,
  GraphQLIsTypeOfFn,
  GraphQLResolveInfo,
  GraphQLScalarType,
  GraphQLTypeResolver,
} from 'graphql'

/** Resolvers by type and field; scalars and enums have members of their own. */
export interface Resolvers<Context = unknown> {
  readonly [typeName: string]: TypeResolvers<Context>
}

/** The resolvers of one type. */
export type TypeResolvers<Context> =
  | GraphQLScalarType
  | (ResolverMembers<Context> & TypeFunctions<Context> & ScalarFunctions)

/** The function of a field, with source, arguments, context and info. */
export type FieldResolver<Context> = GraphQLFieldResolver<Untyped, Context>

/** A field with more than one function: `subscribe` returns the events of a subscription. */
export interface FieldResolvers<Context> {
  readonly resolve?: FieldResolver<Context>
  readonly subscribe?: FieldResolver<Context>
}

/** Arguments are typed as in graphql-js: the schema checks them, which the compiler cannot know. */
type Untyped = Parameters<GraphQLFieldResolver<unknown, unknown>>[1]

interface ResolverMembers<Context> {
  readonly [name: string]:
    | FieldResolver<Context>
    | FieldResolvers<Context>
    | OtherFunction<Context>
    | EnumValue
}

interface TypeFunctions<Context> {
  readonly isTypeOf?: GraphQLIsTypeOfFn<Untyped, Context>
  readonly __isTypeOf?: GraphQLIsTypeOfFn<Untyped, Context>
  readonly resolveType?: TypeResolver<Context>
  readonly __resolveType?: TypeResolver<Context>
}

type TypeResolver<Context> = (...args: Parameters<GraphQLTypeResolver<Untyped, Context>>) => unknown

/** The names of graphql 16 and 17; both work with either major. */
interface ScalarFunctions {
  /** A method, for its parameter bivariance: the compiler cannot know the type that resolvers return. */
  serialize?(value: unknown): unknown
  readonly parseValue?: (value: unknown) => unknown
  readonly parseLiteral?: GraphQLScalarType['parseLiteral']
  coerceOutputValue?(value: unknown): unknown
  readonly coerceInputValue?: (value: unknown) => unknown
  readonly coerceInputLiteral?: (node: ConstValueNode) => unknown
  readonly valueToLiteral?: (value: unknown) => ConstValueNode | undefined
}

/**
 * Lets the functions of types and scalars match the index signature of `Members`, but not resolvers with
 * another context type. The two signatures are separate so that the compiler infers parameters from
 * `FieldResolver` alone.
 */
interface OtherFunction<Context> {
  <Rest>(
    a: Untyped,
    b: Untyped,
    c: Context & GraphQLResolveInfo,
    d: Untyped,
    ...rest: Rest[]
  ): unknown
  (a: Untyped, b: Untyped, c: Context & GraphQLResolveInfo, d: Untyped): unknown
}

/** The internal value of an enum value: anything but a function or a resolver. */
type EnumValue =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | (object & { readonly apply?: never; readonly resolve?: never; readonly subscribe?: never })
