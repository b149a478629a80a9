import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { Outcome } from '../outcome.js'
import { checkCost } from './check-cost.js'
import { LimitCheck } from './check-limits.js'
import { CostCounter, type CostSettings } from './cost.js'
import { Documents, type DocumentSettings, type ValidDocument } from './documents.js'
import {
  createExecutor,
  type Executed,
  type ExecuteFunction,
  type ExecutionInput,
} from './execute.js'
import type { GraphQLParams } from './params.js'
import { prepare, toOperation, type Operation } from './prepare.js'
import type { RequestError } from './request-error.js'

/** GraphQL without HTTP: from parameters to an operation, from an operation to its result. */
export interface Engine {
  prepare(schema: GraphQLSchema, params: GraphQLParams): Outcome<Operation, RequestError>
  /** The document of a source text, for whoever keeps it: checked as those of requests are. */
  findDocument(schema: GraphQLSchema, source: string): Outcome<ValidDocument, RequestError>
  /** The operation of a document that was found before. */
  toOperation(
    schema: GraphQLSchema,
    document: ValidDocument,
    definition: OperationDefinitionNode,
    params: GraphQLParams,
  ): Operation
  /** Why the operation is too dear to run, if it is. */
  checkCost(operation: Operation): RequestError | undefined
  execute(operation: Operation, input: ExecutionInput): Executed | Promise<Executed>
}

/** What the engine has to know. */
export interface EngineSettings extends DocumentSettings, CostSettings {
  readonly execute: ExecuteFunction | undefined
}

/** Makes the engine of a handler, with documents and a way of execution of its own. */
export function createEngine(settings: EngineSettings): Engine {
  const limits = new LimitCheck(settings)
  const documents = new Documents(settings, limits)
  const costs = new CostCounter(settings)
  return {
    prepare: (schema, params) => prepare(documents, costs, schema, params),
    findDocument: (schema, source) => documents.find(schema, source),
    toOperation: (schema, document, definition, params) =>
      toOperation(costs, schema, document, definition, params),
    checkCost: (operation) => checkCost(operation, settings, limits),
    execute: createExecutor(settings),
  }
}
