import { handleUnread, isAsyncIterable, isIterable } from '../graphql/execute/handle-unread.js'
import { EndOfRun } from './end-of-run.js'
import type { ValuePlan } from './plan.js'
import { readAsyncList } from './read-async-list.js'
import { pathOf } from './resolve-info.js'
import { throwIfStopped, type Run } from './run.js'
import { abandon } from './segment.js'
import { writePosition } from './write-position.js'

const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c

/** Writes a list: any iterable but a string, on graphql 17 also an asynchronous one. */
export function writeList(run: Run, plan: ValuePlan, value: unknown): void {
  if (run.is17 && isAsyncIterable(value)) {
    readAsyncList(run, plan, value)
    return
  }
  if (!isIterable(value)) {
    const { parentType, definition } = plan.field
    throw new run.plan.graphql.GraphQLError(
      `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`,
    )
  }
  const item = plan.item as ValuePlan
  const { writer } = run
  writer.byte(openBracket)
  if (isPlainArray(value)) writeArray(run, item, value)
  else writeIterable(run, item, value)
  writer.byte(closeBracket)
}

/** The length is read for each item, as an iterator of the array does: resolvers may change it. */
function writeArray(run: Run, item: ValuePlan, values: readonly unknown[]): void {
  const { writer } = run
  const { kind, depth } = item
  let mark = writer.at
  let at = 0
  for (;;) {
    try {
      for (; at < values.length; at += 1) {
        mark = writer.at
        if (at > 0) writer.byte(comma)
        const value = values[at]
        if ((kind === 'String' || kind === 'ID') && typeof value === 'string') {
          writer.string(value)
          continue
        }
        throwIfStopped(run, values)
        run.indices[depth] = at
        run.paths[depth] = undefined
        writePosition(run, item, value)
      }
      return
    } catch (error) {
      try {
        failItem(run, item, at, mark, error)
      } catch (failure) {
        // Nothing reads the rest.
        handleUnread(values)
        throw failure
      }
      at += 1
    }
  }
}

function writeIterable(run: Run, item: ValuePlan, values: Iterable<unknown>): void {
  const iterator = values[Symbol.iterator]()
  try {
    for (let at = 0; ; at += 1) {
      const next = iterator.next()
      if (next.done === true) return
      if (run.input.stop?.aborted === true) throwIfStopped(run, [next.value])
      writeItem(run, item, at, next.value)
    }
  } catch (error) {
    drain(run, iterator)
    throw error
  }
}

function writeItem(run: Run, item: ValuePlan, at: number, value: unknown): void {
  const { writer } = run
  const mark = writer.at
  try {
    if (at > 0) writer.byte(comma)
    run.indices[item.depth] = at
    run.paths[item.depth] = undefined
    writePosition(run, item, value)
  } catch (error) {
    failItem(run, item, at, mark, error)
  }
}

/** An item failed. It becomes null if it may; else this throws the located error for the list. */
function failItem(run: Run, item: ValuePlan, at: number, mark: number, error: unknown): void {
  if (error instanceof EndOfRun) throw error
  abandon(run, mark)
  run.indices[item.depth] = at
  run.paths[item.depth] = undefined
  const located = run.locate(item.field, pathOf(run, item), error)
  if (item.climbs) throw located
  run.report(located)
  if (at > 0) run.writer.byte(comma)
  run.writer.null()
}

/**
 * The promises that are left are handled, or they would end the process by rejecting. graphql 16 closes an iterator whose item
 * fails, if it can be closed; 17 reads it to its end.
 */
function drain({ is17 }: Run, iterator: Iterator<unknown>): void {
  try {
    if (!is17 && iterator.return !== undefined) return void iterator.return()
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      handleUnread([next.value])
    }
  } catch {
    // The iterator failed, too.
  }
}

function isPlainArray(value: object): value is readonly unknown[] {
  return (
    Array.isArray(value) && (value as { [Symbol.iterator]: unknown })[Symbol.iterator] === valuesOf
  )
}

const { [Symbol.iterator]: valuesOf } = Array.prototype
