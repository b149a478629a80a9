import * as graphql from 'graphql'
import type {
  ASTVisitor,
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  GraphQLError,
  GraphQLFieldResolver,
  GraphQLInputType,
  GraphQLSchema,
  GraphQLType,
  Kind,
  TypeNode,
  ValidationContext,
  VariableDefinitionNode,
} from 'graphql'

/** A validation rule as graphql-js defines them. */
export type ValidationRule = (context: ValidationContext) => ASTVisitor

/** What execution gives: the same shape on both majors. */
export type ExecuteResult = ExecutionResult | PromiseLike<ExecutionResult>

/**
 * The functions of graphql-js that the engine uses, and nothing else of it, so that an injected
 * module really replaces the imported one. This is the only file that imports values of `graphql`.
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
    options?: { maxErrors?: number; hideSuggestions?: boolean },
  ): readonly GraphQLError[]
  readonly Kind: { readonly [name: string]: Kind }
  readonly BREAK: unknown
  visit(document: DocumentNode, visitor: ASTVisitor): DocumentNode
  visitInParallel(visitors: readonly ASTVisitor[]): ASTVisitor
  getEnterLeaveForKind(visitor: ASTVisitor, kind: Kind): object
  validateSchema(schema: GraphQLSchema): readonly GraphQLError[]
  execute(args: ExecutionArgs): ExecuteResult
  /** Both majors name the errors alike, and nothing else of the result is used. */
  getVariableValues(
    schema: GraphQLSchema,
    definitions: readonly VariableDefinitionNode[],
    inputs: { readonly [name: string]: unknown },
    options?: { maxErrors?: number; hideSuggestions?: boolean },
  ): { readonly errors?: readonly GraphQLError[] }
  typeFromAST(schema: GraphQLSchema, node: TypeNode): GraphQLType | undefined
  /** graphql 16 tells the listener of each fault; 17 takes none and leaves that to `validateInputValue`. */
  coerceInputValue?(
    value: unknown,
    type: GraphQLInputType,
    onError?: (path: readonly (string | number)[], value: unknown, error: GraphQLError) => void,
    hideSuggestions?: boolean,
  ): unknown
  /** graphql 17: tells the listener of each fault. */
  validateInputValue?(
    value: unknown,
    type: GraphQLInputType,
    onError: (error: GraphQLError, path: readonly (string | number)[]) => void,
    hideSuggestions?: boolean,
  ): void
  /** graphql 17: coerces the variables and selects the operation, before any resolver runs. */
  validateExecutionArgs?(args: ExecutionArgs): readonly GraphQLError[] | ValidatedArgs
  /** graphql 17: runs what `validateExecutionArgs` gave. */
  executeRootSelectionSet?(args: ValidatedArgs): ExecuteResult
}

/** Only `validateExecutionArgs` makes one; its shape is graphql's own affair. */
type ValidatedArgs = object

/** What `build-schema` needs beside, for schemas that are made here and not by an embedder. */
export interface SchemaTools {
  buildSchema(source: graphql.Source): GraphQLSchema
  Source: new (body: string, name?: string) => graphql.Source
  GraphQLError: new (message: string) => GraphQLError
}

/** The copy of graphql-js that `import 'graphql'` finds from here. */
export const installedGraphQL: GraphQLModule & SchemaTools = graphql

/**
 * Whether the module is graphql 17 or later, which splits execution in two and publishes on its own
 * `graphql:parse` and `graphql:validate` channels.
 */
export function splitsExecution(module: GraphQLModule): module is SplitGraphQLModule {
  return module.validateExecutionArgs !== undefined && module.executeRootSelectionSet !== undefined
}

/** A module that has both halves of execution. */
export type SplitGraphQLModule = GraphQLModule &
  Required<Pick<GraphQLModule, 'validateExecutionArgs' | 'executeRootSelectionSet'>>
