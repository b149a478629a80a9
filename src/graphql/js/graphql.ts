import * as graphql from 'graphql'
import type {
  ASTVisitor,
  DefinitionNode,
  DirectiveNode,
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  FieldNode,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLEnumTypeConfig,
  GraphQLError,
  GraphQLErrorOptions,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLInputType,
  GraphQLScalarType,
  GraphQLScalarTypeConfig,
  GraphQLSchema,
  GraphQLSchemaConfig,
  GraphQLType,
  GraphQLTypeResolver,
  OperationDefinitionNode,
  TypeNode,
  ValidationContext,
  VariableDefinitionNode,
} from 'graphql'
import type { Shape } from '../../shapes/shape.js'
import { hasMethods } from '../../shapes/shapes.js'

export type Field = GraphQLField<unknown, unknown>

/** A validation rule of graphql-js. */
export type ValidationRule = (context: ValidationContext) => ASTVisitor

/** The result of execution: the same shape in both majors. */
export type ExecuteResult = ExecutionResult | PromiseLike<ExecutionResult>

/** How many errors are reported, and in what form. */
export interface ErrorOptions {
  readonly maxErrors?: number
  readonly hideSuggestions?: boolean
}

/**
 * The functions of graphql-js that the engine uses. Nothing else is used, so that an injected module fully
 * replaces the imported one. This is the only file that imports values of `graphql`.
 */
export interface GraphQLModule {
  readonly GraphQLSchema: abstract new (...args: never[]) => GraphQLSchema
  readonly NoSchemaIntrospectionCustomRule: ValidationRule
  readonly specifiedRules: readonly ValidationRule[]
  readonly defaultFieldResolver: GraphQLFieldResolver<unknown, unknown>
  parse(source: string): DocumentNode
  validate(
    schema: GraphQLSchema,
    document: DocumentNode,
    rules?: readonly ValidationRule[],
    options?: ErrorOptions,
  ): readonly GraphQLError[]
  readonly Kind: { readonly [name: string]: string }
  visit(document: DocumentNode, visitor: ASTVisitor): DocumentNode
  validateSchema(schema: GraphQLSchema): readonly GraphQLError[]
  execute(args: ExecutionArgs): ExecuteResult
  /** Both majors have the same errors; the values are in `coerced`, in 17 within `variableValues`. */
  getVariableValues(
    schema: GraphQLSchema,
    definitions: readonly VariableDefinitionNode[],
    inputs: { readonly [name: string]: unknown },
    options?: ErrorOptions,
  ): {
    readonly errors?: readonly GraphQLError[]
    readonly coerced?: CoercedValues
    readonly variableValues?: CoercedVariables
  }
  typeFromAST(schema: GraphQLSchema, node: TypeNode): GraphQLType | undefined
  /** graphql 16 passes each error to the callback; 17 has `validateInputValue` for that. */
  coerceInputValue?(
    value: unknown,
    type: GraphQLInputType,
    onError?: (path: readonly (string | number)[], value: unknown, error: GraphQLError) => void,
    hideSuggestions?: boolean,
  ): unknown
  /** graphql 17: passes each error to the callback. */
  validateInputValue?(
    value: unknown,
    type: GraphQLInputType,
    onError: (error: GraphQLError, path: readonly (string | number)[]) => void,
    hideSuggestions?: boolean,
  ): void
  /** graphql 17: coerces the variables and selects the operation, before any resolver runs. */
  validateExecutionArgs?(args: ExecutionArgs): readonly GraphQLError[] | ValidatedArgs
  /** graphql 17: executes the result of `validateExecutionArgs`. */
  executeRootSelectionSet?(args: ValidatedArgs): ExecuteResult
  /** graphql 17: `validateExecutionArgs` for subscriptions. */
  validateSubscriptionArgs?(args: ExecutionArgs): readonly GraphQLError[] | ValidatedArgs
  /** graphql 17 takes validated arguments, 16 those of `execute`. */
  createSourceEventStream(args: object): SourceResult | PromiseLike<SourceResult>
  /** graphql 17: executes with @defer and @stream. The result is whole if nothing was deferred. */
  experimentalExecuteRootSelectionSet?(args: ValidatedArgs): IncrementalReturn
  /** graphql 17: executes with @defer and @stream, with results in the format of August 2022. */
  legacyExecuteRootSelectionSet?(args: ValidatedArgs): IncrementalReturn
  readonly GraphQLDeferDirective?: GraphQLDirective
  readonly GraphQLStreamDirective?: GraphQLDirective
  /** graphql 17: executes a subscription for one event. */
  executeSubscriptionEvent?(args: ValidatedArgs): ExecuteResult
  /** Used by the compiled executor alone; without these members, operations are interpreted. */
  readonly GraphQLError?: new (message: string, options?: GraphQLErrorOptions) => GraphQLError
  readonly GraphQLSkipDirective?: GraphQLDirective
  readonly GraphQLIncludeDirective?: GraphQLDirective
  readonly SchemaMetaFieldDef?: GraphQLField<unknown, unknown>
  readonly TypeMetaFieldDef?: GraphQLField<unknown, unknown>
  readonly TypeNameMetaFieldDef?: GraphQLField<unknown, unknown>
  readonly specifiedScalarTypes?: readonly GraphQLScalarType[]
  readonly defaultTypeResolver?: GraphQLTypeResolver<unknown, unknown>
  assertType?(value: unknown): unknown
  assertValidSchema?(schema: GraphQLSchema): void
  /** `variables` are what resolvers find in `info.variableValues`. The last two arguments are of graphql 17. */
  getArgumentValues?(
    definition: GraphQLField<unknown, unknown> | GraphQLDirective,
    node: FieldNode | DirectiveNode,
    variables: unknown,
    fragmentVariables?: undefined,
    hideSuggestions?: boolean,
  ): Record<string, unknown>
  getDirectiveValues?(
    definition: GraphQLDirective,
    node: { readonly directives?: readonly DirectiveNode[] | undefined },
    variables: unknown,
  ): CoercedValues | undefined
  locatedError?(
    error: unknown,
    nodes: readonly FieldNode[],
    path: readonly (string | number)[],
  ): GraphQLError
  /** graphql 17: what an execution rejects with when its signal fires. */
  readonly AbortedGraphQLExecutionError?: new (reason: unknown, result: never) => Error
}

/** A whole result, or the first part of one and the others. */
type IncrementalReturn = object | PromiseLike<object>

/** The source of a subscription, or the errors of starting it. */
export type SourceResult = AsyncIterable<unknown> | { readonly errors?: readonly GraphQLError[] }

/** The values of variables as resolvers get them. */
export interface CoercedValues {
  readonly [name: string]: unknown
}

/** The validated arguments of `validateExecutionArgs`, opaque to us. */
type ValidatedArgs = object

/** The variables of graphql 17, as resolvers find them in `info.variableValues`. */
export interface CoercedVariables {
  readonly coerced: CoercedValues
}

/** Additional functions for `build-schema`. */
export interface SchemaTools {
  readonly GraphQLSchema: new (config: Readonly<GraphQLSchemaConfig>) => GraphQLSchema
  readonly GraphQLScalarType: new (
    config: Readonly<GraphQLScalarTypeConfig<unknown, unknown>>,
  ) => GraphQLScalarType
  readonly GraphQLEnumType: new (config: Readonly<GraphQLEnumTypeConfig>) => GraphQLEnumType
  readonly GraphQLError: new (message: string) => GraphQLError
  readonly Source: new (body: string, name?: string) => graphql.Source
  parse(source: graphql.Source): DocumentNode
  buildASTSchema(document: DocumentNode): GraphQLSchema
  extendSchema(
    schema: GraphQLSchema,
    document: DocumentNode,
    options: { readonly assumeValidSDL: true },
  ): GraphQLSchema
}

/** Additional functions for the tools of manifests. */
interface DocumentTools {
  readonly NoDeprecatedCustomRule: ValidationRule
  print(node: DefinitionNode): string
}

/** The valid values of the option `graphql`. */
export const moduleShape: Shape = {
  expected: "the module that `import * as graphql from 'graphql'` gives",
  fits: (value) =>
    hasMethods(value, 'GraphQLSchema', 'parse', 'validate', 'execute', 'validateSchema'),
}

/** The installed copy of graphql-js. */
export const installedGraphQL: GraphQLModule & SchemaTools & DocumentTools = graphql

/**
 * Whether the module is graphql 17 or later, which splits execution into two steps and publishes
 * `graphql:parse` and `graphql:validate` itself.
 */
export function splitsExecution(module: GraphQLModule): module is SplitGraphQLModule {
  return module.validateExecutionArgs !== undefined && module.executeRootSelectionSet !== undefined
}

/** Whether, on graphql 17, the failure of a field that may not be null stays where it is. */
export function disablesPropagation({ directives = [] }: OperationDefinitionNode): boolean {
  return directives.some(({ name }) => name.value === 'experimental_disableErrorPropagation')
}

/** A module with both steps of execution. */
export type SplitGraphQLModule = GraphQLModule &
  Required<Pick<GraphQLModule, 'validateExecutionArgs' | 'executeRootSelectionSet'>>

/** Whether the module executes @defer and @stream, as graphql 17.1 does. */
export function deliversIncrementally(module: GraphQLModule): module is IncrementalGraphQLModule {
  return splitsExecution(module) && incrementalNames.every((name) => module[name] !== undefined)
}

const incrementalNames = [
  'experimentalExecuteRootSelectionSet',
  'legacyExecuteRootSelectionSet',
  'GraphQLDeferDirective',
  'GraphQLStreamDirective',
] as const

export type IncrementalGraphQLModule = SplitGraphQLModule &
  Required<Pick<GraphQLModule, (typeof incrementalNames)[number]>>
