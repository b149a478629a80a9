import { readText } from './text-bytes.js'
import { droppedMember, Slot, Unwritable, type Content, type WrittenSegment } from './slot.js'

const openBrace = '{'

/** Puts the response together, once nothing waits any more. Throws what JSON could not write. */
export function assemble(content: Content): string {
  if (typeof content === 'string') return content
  const pieces: Pieces = { texts: [], bug: undefined }
  collect(content, pieces)
  if (pieces.bug !== undefined) throw pieces.bug.cause
  return pieces.texts.toReversed().join('')
}

interface Pieces {
  readonly texts: string[]
  /** The first in the text, as it is the last that is found: what JSON.stringify would throw. */
  bug: Unwritable | undefined
}

/** Collects the pieces of a text from its end to its start: there, what became null comes before what is inside. */
function collect(content: Content, pieces: Pieces): void {
  if (typeof content === 'string') {
    if (content !== '') pieces.texts.push(content)
  } else if (content instanceof Unwritable) {
    pieces.bug = content
  } else if (isSegment(content)) {
    collectSegment(content, pieces)
  } else if (Array.isArray(content)) {
    for (let at = content.length - 1; at >= 0; at -= 1) {
      const piece = content[at] as string | Slot
      collect(piece instanceof Slot ? piece.content : piece, pieces)
    }
  }
}

function collectSegment(segment: WrittenSegment, pieces: Pieces): void {
  const { slots, base } = segment
  let end = segment.length
  for (let at = slots.length - 1; at >= 0; at -= 1) {
    const slot = slots[at] as Slot
    const start = slot.start - base
    // A position that may become null has no content unless it did; one inside what became null is past the end.
    if (start >= end || slot.content === undefined) continue
    collect(cut(segment, slot.end - base, end), pieces)
    if (slot.content === droppedMember) end = dropMember(segment, slot, pieces)
    else {
      collect(slot.content, pieces)
      end = start
    }
  }
  collect(cut(segment, 0, end), pieces)
}

/** Omits a member with its key. The next one then comes first if it did, and keeps no comma. */
function dropMember(segment: WrittenSegment, slot: Slot, pieces: Pieces): number {
  const keyLength = slot.plan?.field.keyLength ?? 0
  const start = slot.start - segment.base - keyLength
  if (cut(segment, start, start + 1) !== openBrace) return start
  const next = pieces.texts.pop() ?? ''
  collect(next.startsWith(',') ? next.slice(1) : next, pieces)
  pieces.texts.push(openBrace)
  return start
}

function isSegment(content: Content): content is WrittenSegment {
  return typeof content === 'object' && 'slots' in content
}

function cut({ text, bytes }: WrittenSegment, start: number, end: number): string {
  return bytes === undefined ? text.slice(start, end) : readText(bytes, start, end)
}
