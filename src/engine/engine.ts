import type { GraphQLSchema } from 'graphql'
import type { Outcome } from '../outcome.js'
import { Documents, type DocumentSettings } from './documents.js'
import {
  createExecutor,
  type Executed,
  type ExecuteFunction,
  type ExecutionInput,
} from './execute.js'
import type { GraphQLParams } from './params.js'
import { prepare, type Operation } from './prepare.js'
import type { RequestError } from './request-error.js'

/** GraphQL without HTTP: from parameters to an operation, from an operation to its result. */
export interface Engine {
  prepare(schema: GraphQLSchema, params: GraphQLParams): Outcome<Operation, RequestError>
  execute(operation: Operation, input: ExecutionInput): Executed | Promise<Executed>
}

/** What the engine has to know. */
export interface EngineSettings extends DocumentSettings {
  readonly execute: ExecuteFunction | undefined
}

/** Makes the engine of a handler, with documents and a way of execution of its own. */
export function createEngine(settings: EngineSettings): Engine {
  const documents = new Documents(settings)
  return {
    prepare: (schema, params) => prepare(documents, schema, params),
    execute: createExecutor(settings.graphql, settings.execute, settings.hideSuggestions),
  }
}
