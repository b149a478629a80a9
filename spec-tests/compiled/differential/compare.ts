import type { Verdict } from '../../fuzz/target.js'
import type { Execution, ShownError } from './execution.js'
import type { Call } from '../random/run.js'

/** The first thing in which two executions differ, as a rule and its detail. */
export function differenceOf(expected: Execution, actual: Execution, isMutation: boolean): Verdict {
  const inAll =
    compare('thrown', String(expected.thrown), String(actual.thrown)) ??
    compare('waits', String(expected.waits), String(actual.waits)) ??
    compare('text', String(expected.text), String(actual.text))
  if (inAll !== undefined || expected.thrown !== undefined) return inAll
  if (!expected.waits) {
    return (
      compare('errors', textsOf(expected.errors), textsOf(actual.errors)) ??
      compare('calls', textsOf(expected.calls), textsOf(actual.calls))
    )
  }
  const data: unknown = JSON.parse(expected.text ?? 'null')
  return (
    compare('late errors', lateErrors(expected, data), lateErrors(actual, data)) ??
    compare('late calls', lateCalls(expected, data), lateCalls(actual, data)) ??
    (isMutation && expected.errors.length === 0
      ? compare('late order', rootOrder(expected.calls), rootOrder(actual.calls))
      : undefined)
  )
}

function compare(rule: string, expected: string, actual: string): Verdict {
  return expected === actual ? undefined : `${rule}: expected\n${expected}\n  but got\n${actual}\n`
}

function textsOf(list: readonly { readonly text: string }[]): string {
  return list.map(({ text }) => text).join('\n')
}

/**
 * Which of several errors below one null are reported depends on which comes first, so of these it only matters that
 * there are any, unless an error of the position itself explains the null. All others must be the same.
 */
function lateErrors({ errors }: Execution, data: unknown): string {
  const places = errors.map(({ path, text }) => ({ path, text, hidden: hiddenBy(path, data) }))
  const shown = places.filter(({ hidden }) => hidden === undefined)
  const explained = new Set(shown.map(({ path }) => path?.join('.') ?? ''))
  const hiding = places.flatMap((one) => one.hidden ?? [])
  const hidden = new Set(hiding.filter((place) => !explained.has(place)))
  return [
    ...shown.map(({ text }) => text).toSorted(),
    ...[...hidden].map((place) => `an error below the null at "${place}"`).toSorted(),
  ].join('\n')
}

/** The path of the null above a path; undefined if there is none, also where the path itself leads to one. */
function hiddenBy(path: ShownError['path'], data: unknown): string | undefined {
  let value = data
  for (const [at, key] of (path ?? []).entries()) {
    if (value === null || value === undefined) return path?.slice(0, at).join('.')
    value = (value as { readonly [key: string | number]: unknown })[key]
  }
  return undefined
}

/** Where something failed, what is called below depends on the moment; what is beside it does not. */
function lateCalls({ calls, errors }: Execution, data: unknown): string {
  if (errors.length === 0) return textsOf(calls.toSorted(byText))
  const isCertain = ({ path }: Call) =>
    path !== undefined && hiddenBy(path.split('.'), data) === undefined
  return textsOf(calls.filter(isCertain).toSorted(byText))
}

function byText(one: Call, other: Call): number {
  return one.text < other.text ? -1 : 1
}

/** The root fields in the order in which anything below them was called. */
function rootOrder(calls: readonly Call[]): string {
  const roots = calls.flatMap(({ path }) => (path === undefined ? [] : [path.split('.')[0]]))
  return roots.filter((name, at) => name !== roots[at - 1]).join()
}
