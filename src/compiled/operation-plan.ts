import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import type { GraphQLModule } from '../graphql/js/graphql.js'
import type { Selection } from './plan.js'
import type { KnownScalars } from './known-scalars.js'

/** What all plans of an operation share. */
export interface OperationFacts {
  readonly graphql: CompilingModule
  readonly is17: boolean
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly definition: OperationDefinitionNode
  /** By name, and without a prototype, as resolvers find them in `info.fragments`. */
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode }
  readonly scalars: KnownScalars
  /** Whether failures of non-null positions climb: not with `@experimental_disableErrorPropagation` of 17. */
  readonly propagates: boolean
  /** Whether the default resolver ignores what objects inherit from `Object.prototype`. */
  readonly readsOwn: boolean
  /** An estimate for all plans. It grows when a type comes for the first time at a position, maybe late: `grown` counts that. */
  readonly memory: { bytes: number; readonly grown: () => void }
}

/** The compiled form of an operation for some values of the variables that @skip and @include read. */
export interface OperationPlan extends OperationFacts {
  root: Selection | undefined
}

/** The functions of graphql-js that compiling needs. */
export type CompilingModule = GraphQLModule &
  Required<Pick<GraphQLModule, (typeof compilingNames)[number]>>

export function canCompile(module: GraphQLModule): module is CompilingModule {
  return compilingNames.every((name) => module[name] !== undefined)
}

const compilingNames = [
  'GraphQLError',
  'GraphQLSkipDirective',
  'GraphQLIncludeDirective',
  'SchemaMetaFieldDef',
  'TypeMetaFieldDef',
  'TypeNameMetaFieldDef',
  'assertType',
  'assertValidSchema',
  'defaultTypeResolver',
  'getArgumentValues',
  'getDirectiveValues',
  'locatedError',
  'specifiedScalarTypes',
] as const
