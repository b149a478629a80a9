import { readText } from './text-bytes.js'
import type { Content, LeafValue, Piece, Slot, WrittenSegment } from './slot.js'

/** Puts the response together once nothing waits any more. Throws if a value cannot be written as JSON. */
export function assemble(content: Content): string {
  if (typeof content === 'string') return content
  const pieces: (string | LeafValue)[] = []
  collect(content, pieces)
  const texts: string[] = []
  let isFirst = false
  for (const piece of pieces.toReversed()) {
    if (typeof piece !== 'string') isFirst = writeLeaf(piece, texts)
    else {
      texts.push(isFirst ? openObject(piece) : piece)
      isFirst = false
    }
  }
  return texts.join('')
}

/** Collects the pieces of a text from its end to its start: there, what became null comes before what is inside. */
function collect(content: Content, pieces: (string | LeafValue)[]): void {
  if (typeof content === 'string') {
    if (content !== '') pieces.push(content)
  } else if (content !== undefined) {
    if ('key' in content) pieces.push(content)
    else if ('slots' in content) collectSegment(content, pieces)
    else {
      for (let at = content.length - 1; at >= 0; at -= 1) {
        const piece = content[at] as Piece
        collect(typeof piece === 'string' ? piece : piece.content, pieces)
      }
    }
  }
}

function collectSegment(segment: WrittenSegment, pieces: (string | LeafValue)[]): void {
  const { slots, base } = segment
  let end = Infinity
  for (let at = slots.length - 1; at >= 0; at -= 1) {
    const slot = slots[at] as Slot
    const start = slot.start - base
    // A position that may become null has no content unless it did; one inside what became null is past the end.
    if (start >= end || slot.content === undefined) continue
    collect(cut(segment, slot.end - base, end), pieces)
    collect(slot.content, pieces)
    end = start
  }
  collect(cut(segment, 0, end), pieces)
}

/** `JSON.stringify` passes its key to `toJSON`, so it gets an object. Returns whether an omitted member came first. */
function writeLeaf({ value, key, keyLength }: LeafValue, texts: string[]): boolean {
  // A client may name a member `toJSON`: as a member of the holder, a function would be called.
  const holder = key === 'toJSON' && typeof value === 'function' ? {} : { [key]: value }
  const text = JSON.stringify(holder)
  if (text !== '{}') texts.push(text.slice(key.length + 4, -1))
  else if (keyLength === undefined) texts.push('null')
  else return dropMember(keyLength, texts)
  return false
}

/** JSON omits the member. If it came first, so does the next one: it gets the brace. */
function dropMember(keyLength: number, texts: string[]): boolean {
  const before = texts.pop() ?? ''
  const start = before.length - keyLength
  texts.push(before.slice(0, start))
  return before[start] === openBrace
}

function openObject(rest: string): string {
  return openBrace + (rest.startsWith(',') ? rest.slice(1) : rest)
}

const openBrace = '{'

function cut({ text, bytes }: WrittenSegment, start: number, end: number): string {
  return bytes === undefined ? text.slice(start, end) : readText(bytes, start, end, false)
}
