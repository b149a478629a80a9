import { withCheapListeners } from '../base/abort-listeners.js'
import type { GraphQLResolveInfo } from 'graphql'
import type { FieldPlan, Path, ValuePlan } from './plan.js'
import type { InfoTools, Run } from './run.js'

/**
 * The path of the current value of a position. While all goes well none is made: keys are in the plan, and
 * the indices of lists in the run. One is made for the first resolver of an object, then its fields share it.
 */
export function pathOf(run: Run, plan: ValuePlan): Path {
  const made = run.paths[plan.depth]
  if (made !== undefined) return made
  const path = makePath(run, plan)
  run.paths[plan.depth] = path
  return path
}

function makePath(run: Run, plan: ValuePlan): Path {
  const prev = plan.parent === undefined ? undefined : pathOf(run, plan.parent)
  return plan.isItem
    ? { prev, key: run.indices[plan.depth] as number, typename: undefined }
    : { prev, key: plan.field.key, typename: plan.field.parentType.name }
}

/** Makes `info`, whose members all are own and enumerable: ten on graphql 16, twelve on 17. */
export function toInfo(run: Run, field: FieldPlan): GraphQLResolveInfo {
  return infoWithPath(run, field, makePath(run, field.value))
}

/** The `info` of the field that a position belongs to. */
export function infoOf(run: Run, { field }: ValuePlan): GraphQLResolveInfo {
  const { depth } = field.value
  const made = run.infos[depth]
  if (made !== undefined) return made
  const info = infoWithPath(run, field, pathOf(run, field.value))
  run.infos[depth] = info
  return info
}

function infoWithPath(run: Run, field: FieldPlan, path: Path): GraphQLResolveInfo {
  const { plan } = run
  if (!run.is17) {
    return {
      fieldName: field.definition.name,
      fieldNodes: field.nodes,
      returnType: field.definition.type,
      parentType: field.parentType,
      path,
      schema: plan.schema,
      fragments: plan.fragments,
      rootValue: run.input.rootValue,
      operation: plan.definition,
      variableValues: run.variables.variableValues,
    } as unknown as GraphQLResolveInfo
  }
  const { getAbortSignal, getAsyncHelpers } = (run.tools ??= toTools(run))
  return {
    fieldName: field.definition.name,
    fieldNodes: field.nodes,
    returnType: field.definition.type,
    parentType: field.parentType,
    path,
    schema: plan.schema,
    fragments: plan.fragments,
    rootValue: run.input.rootValue,
    operation: plan.definition,
    variableValues: run.variables.variableValues,
    getAbortSignal,
    getAsyncHelpers,
  } as unknown as GraphQLResolveInfo
}

function toTools(run: Run): InfoTools {
  return { getAbortSignal: () => signalOf(run), getAsyncHelpers: () => asyncHelpers }
}

const asyncHelpers = Object.freeze({
  /** `Promise.all` handles the rejections of all promises, not only the first. */
  promiseAll: (values: readonly unknown[]) => Promise.all(values),
  track(values: readonly unknown[]): void {
    for (const value of values) Promise.resolve(value).catch(() => {})
  },
})

/**
 * An AbortController for every run would take as long as a small one, so it is made only if a resolver asks
 * for its signal. It fires when the run is given up, and when it ends.
 */
function signalOf(run: Run): AbortSignal {
  if (run.controller !== undefined) return run.controller.signal
  const controller = new AbortController()
  run.controller = controller
  withCheapListeners(controller.signal)
  const { signal } = run.input
  if (signal?.aborted === true) controller.abort(signal.reason)
  else if (run.isOver) controller.abort()
  else if (signal !== undefined) {
    const onAbort = (): void => controller.abort(signal.reason)
    signal.addEventListener('abort', onAbort)
    run.unlisten = () => signal.removeEventListener('abort', onAbort)
  }
  return controller.signal
}
