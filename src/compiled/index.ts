export { compiledExecution } from './compiled-execution.js'
export type { CompiledOptions } from './compiled-options.js'
export {
  createTextExecutor,
  executeText,
  type ExecuteText,
  type TextResult,
} from './execute-text.js'
