import type { GraphQLError } from 'graphql'
import { becomeNull, settle } from './climb.js'
import { TooLong } from './json-writer.js'
import type { Selection } from './plan.js'
import { isAborted, type Run } from './run.js'
import { abandon, closeSegment, openSegment } from './segment.js'
import { Slot, type Piece } from './slot.js'
import { throwIfStopped } from './throw-if-stopped.js'
import { writeFields } from './write-fields.js'

const openBrace = 0x7b

/**
 * Executes the fields of a mutation in turn: one begins when all of the one before it is done. What is
 * written until something waits is one piece of the response.
 */
export function runSerially(run: Run, root: Slot, selection: Selection): void {
  const { before, after } = run.frame
  const { length } = selection.fields
  const pieces: Piece[] = [before]
  let isEmpty = true
  root.content = pieces
  // The fields that are left wait, too.
  root.pending = 1
  proceed(0)

  function proceed(from: number): void {
    const part = new Slot(undefined, undefined, undefined, 0, 0, true)
    part.owner = root
    const { writer } = run
    const outer = openSegment(run)
    let at = from
    try {
      for (; at < length && run.waiting.length === 0; at += 1) {
        if (isAborted(run)) throw new Error('Aborted!')
        throwIfStopped(run, undefined)
        writeFields(run, undefined, selection, run.rootValue, at, at + 1)
      }
      if (isEmpty && writer.at > outer.start) {
        isEmpty = false
        writer.replace(outer.start, openBrace)
      }
      part.content = closeSegment(run, part)
    } catch (error) {
      abandon(run, outer.start)
      fail(error)
      return
    } finally {
      writer.end(outer)
    }
    pieces.push(part)
    if (part.pending > 0) {
      root.pending += 1
      part.onDone = () => proceed(at)
    } else {
      pieces.push(isEmpty ? `{}${after}` : `}${after}`)
      settle(root)
    }
  }

  function fail(error: unknown): void {
    if (error instanceof TooLong) run.onBug(error)
    else becomeNull(run, root, error as GraphQLError)
  }
}
