import { originalOf, type Resolver } from '../graphql/schema/watched-schemas.js'
import type { FieldPlan, Readable, Selection, ValuePlan } from './plan.js'
import { readArguments } from './arguments.js'
import { toInfo, pathOf } from './resolve-info.js'
import type { Run } from './run.js'
import { writePosition } from './write-position.js'
import type { GraphQLError } from 'graphql'
import { handleUnread } from '../graphql/execute/handle-unread.js'
import { failLater } from './climb.js'
import { EndOfRun } from './end-of-run.js'
import { abandon, adopt, waitsSince } from './segment.js'
import { Slot } from './slot.js'

type ParentMethod = (...given: unknown[]) => unknown

/**
 * Writes the fields of an object, each with a comma before it. This is the hot loop: the usual values of
 * built-in scalars are written here, everything else in `writeField`. One `try` an object: its `catch`
 * writes `null`, and the loop goes on with the next field. Returns false if the object left a slot instead,
 * since it fails once what waits in it has settled.
 */
export function writeFields(
  run: Run,
  position: ValuePlan | undefined,
  { fields }: Selection,
  source: unknown,
  from: number,
  to: number,
): boolean {
  const { writer } = run
  const { fieldResolver } = run.input
  const object = toReadable(source)
  const start = writer.at
  let mark = start
  let at = from
  for (;;) {
    try {
      for (; at < to; at += 1) {
        const field = fields[at] as FieldPlan
        const { kind, words, keyLength } = field
        mark = writer.at
        if (kind === 'typename') {
          writer.key(words, keyLength)
          continue
        }
        // Read at the call: instrumentation replaces resolvers.
        const { resolve: resolver } = field.definition
        if (resolver !== field.resolver) takeResolver(field)
        const resolve = field.original ?? fieldResolver
        const value =
          resolve === undefined
            ? readProperty(run, field, object)
            : callResolver(run, field, resolve, source)
        if (kind === 'String' || kind === 'ID') {
          if (typeof value === 'string') {
            writer.key(words, keyLength)
            writer.string(value)
            continue
          }
        } else if (kind === 'Int') {
          // oxlint-disable-next-line no-bitwise -- whether it has 32 bits
          if (typeof value === 'number' && (value | 0) === value) {
            writer.key(words, keyLength)
            writer.int(value)
            continue
          }
        }
        writeField(run, field, value)
      }
      return true
    } catch (error) {
      if (!failField(run, position, fields[at] as FieldPlan, source, start, mark, error))
        return false
      at += 1
    }
  }
}

function takeResolver(field: FieldPlan): void {
  const { resolve } = field.definition
  field.resolver = resolve
  field.original = resolve ? originalOf(resolve) : undefined
}

/** The default resolver of graphql-js reads from objects and functions. */
function toReadable(source: unknown): Readable | undefined {
  return (typeof source === 'object' && source !== null) || typeof source === 'function'
    ? (source as Readable)
    : undefined
}

/** Called without `this`, as graphql-js does. */
function callResolver(run: Run, field: FieldPlan, resolve: Resolver, source: unknown): unknown {
  const info = toInfo(run, field)
  run.info = info
  return resolve(source, readArguments(run, field), run.input.contextValue, info)
}

/** The default resolver of graphql-js. It gets the arguments first, which may fail. */
function readProperty(run: Run, field: FieldPlan, object: Readable | undefined): unknown {
  run.info = undefined
  const args = field.args.mayFail ? readArguments(run, field) : undefined
  const value = object === undefined ? undefined : field.read(object)
  if (typeof value !== 'function') return value
  const info = toInfo(run, field)
  run.info = info
  return (value as ParentMethod).call(
    object,
    args ?? readArguments(run, field),
    run.input.contextValue,
    info,
  )
}

function writeField(run: Run, field: FieldPlan, value: unknown): void {
  const { writer, info } = run
  const plan = field.value
  run.paths[plan.depth] = info?.path
  run.infos[plan.depth] = info
  writer.key(field.words, field.keyLength)
  writePosition(run, plan, value)
}

/**
 * A field failed. It becomes null if it may, and the object goes on; else this throws the located error for
 * the next position around it. Returns false if the object left a slot that fails later.
 */
function failField(
  run: Run,
  position: ValuePlan | undefined,
  field: FieldPlan,
  source: unknown,
  start: number,
  mark: number,
  error: unknown,
): boolean {
  let isLeft = true
  try {
    if (error instanceof EndOfRun) throw error
    abandon(run, mark)
    run.paths[field.value.depth] = undefined
    const located = run.locate(field, pathOf(run, field.value), error)
    if (!field.value.climbs) {
      run.report(located)
      run.writer.key(field.words, field.keyLength)
      run.writer.null()
      isLeft = false
      return true
    }
    if (run.is17 || !waitsSince(run, start)) throw located
    holdFailure(run, position, start, located)
    return false
  } finally {
    // Nothing reads the rest of the object, and the promises in it would end the process by rejecting.
    if (isLeft) handleUnread(source)
  }
}

/** graphql 16 first waits for the promises beside the failed field. */
function holdFailure(
  run: Run,
  position: ValuePlan | undefined,
  start: number,
  located: GraphQLError,
): void {
  const path = position === undefined ? undefined : pathOf(run, position)
  const slot = new Slot(position, path, undefined, start, start + 1, false)
  slot.held = located
  slot.waiter = { done: () => failLater(run, slot, located) }
  adopt(run, slot, start)
  abandon(run, start)
  run.writer.byte(0x3f)
  run.slots.push(slot)
  run.waiting.push(slot)
}
