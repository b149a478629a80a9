import type { MaybePromise } from '../http/message.js'
import type { GraphQLSchema } from 'graphql'
import {
  buildSchema as build,
  type BuildSchemaOptions,
  type SchemaSource,
} from '../graphql/schema/build-schema.js'
import type { Resolvers } from '../graphql/schema/resolvers.js'
import type { OperationRequest } from './operation-request.js'
import type { AnyExtension, Extension } from './extensions.js'
import type { Options } from './options.js'

/**
 * The types of a server, in an interface of your own. Types that you leave out are `unknown`; the context
 * is then the `OperationRequest`.
 */
export interface ServerTypes {
  /** What `authenticate` returns. */
  readonly principal?: unknown
  /** What `context` returns, and resolvers get. */
  readonly context?: unknown
  /** The runtime's own request, such as `IncomingMessage` or `Request`. */
  readonly raw?: unknown
  /** The extensions: `typeof use`, where `use` is the list. */
  readonly use?: readonly AnyExtension<never>[]
}

/** The `OperationRequest` of a server with these types. */
export type RequestOf<Types extends ServerTypes> = OperationRequest<
  Named<Types, 'raw'>,
  Named<Types, 'principal'>
>

/** The context value of resolvers of a server with these types. */
export type ContextOf<Types extends ServerTypes> = ('context' extends keyof Types
  ? Types['context']
  : RequestOf<Types>) &
  AddedBy<Types>

/** What the extensions add to the context value. */
type AddedBy<Types extends ServerTypes> =
  Types extends Readonly<Record<'use', readonly (infer Used)[]>>
    ? (Used extends Extension<infer Added, never> ? (added: Added) => void : never) extends (
        added: infer All,
      ) => void
      ? All
      : never
    : unknown

/**
 * The options of a server with these types. The hooks that make a declared `principal` or `context` are
 * required, unless an extension may be the one that identifies callers.
 */
export type OptionsOf<Types extends ServerTypes> = Omit<
  TypedOptions<Types>,
  'authenticate' | 'context' | 'use'
> &
  ('use' extends keyof Types
    ? Pick<TypedOptions<Types>, 'authenticate'>
    : Maker<Types, 'principal', Required<Pick<TypedOptions<Types>, 'authenticate'>>>) &
  Maker<Types, 'context', { context(request: RequestOf<Types>): MaybePromise<Types['context']> }> &
  Maker<Types, 'use', Required<Pick<TypedOptions<Types>, 'use'>> & Pick<Types, 'use' & keyof Types>>

/** Returns the options unchanged, checked against the types. */
export function defineOptions<Types extends ServerTypes>(
  options: OptionsOf<Types>,
): OptionsOf<Types> {
  return options
}

type TypedOptions<Types extends ServerTypes> = Options<
  Named<Types, 'raw'>,
  Named<Types, 'principal'>
>

type Named<Types, Name extends keyof ServerTypes> =
  Types extends Readonly<Record<Name, infer Type>> ? Type : unknown

type Maker<Types, Name extends keyof ServerTypes, Made> = Name extends keyof Types ? Made : unknown

/**
 * Builds a schema from SDL and attaches resolvers to it. `Context` is what the `context` option of the handler
 * returns; without that option resolvers get the `OperationRequest`.
 */
export function buildSchema<Context = OperationRequest>(
  sdl: SchemaSource,
  resolvers?: Resolvers<NoInfer<Context>>,
  options?: BuildSchemaOptions,
): GraphQLSchema
/** For resolvers with a context type of their own, such as those typed by graphql-codegen. */
export function buildSchema(
  sdl: SchemaSource,
  resolvers: Resolvers<never>,
  options?: BuildSchemaOptions,
): GraphQLSchema
export function buildSchema(
  sdl: SchemaSource,
  resolvers?: Resolvers<never>,
  options?: BuildSchemaOptions,
): GraphQLSchema {
  return build(sdl, resolvers, options)
}
