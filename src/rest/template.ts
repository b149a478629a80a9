import { failure, success, type Outcome } from '../outcome.js'

/** One part of a path between slashes: a text that must stand there, or a name for whatever does. */
type Segment = { readonly literal: string } | { readonly name: string }

/** A path such as '/person/{id}', taken apart. */
export interface Template {
  readonly segments: readonly Segment[]
  /** The names within, in order. */
  readonly names: readonly string[]
}

/** Takes a template apart, or says what is wrong with it. */
export function parseTemplate(path: string): Outcome<Template, string> {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    return failure('the template must start with a slash')
  }
  const segments: Segment[] = []
  for (const text of path === '/' ? [] : path.slice(1).split('/')) {
    const segment = parseSegment(text)
    if (!segment.ok) return segment
    segments.push(segment.value)
  }
  const names = segments.flatMap((segment) => ('name' in segment ? [segment.name] : []))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined
    ? success({ segments, names })
    : failure(`the template names {${twice}} twice`)
}

function parseSegment(text: string): Outcome<Segment, string> {
  if (text === '') return failure('the template has an empty segment')
  const [, name] = /^\{([_A-Za-z]\w*)\}$/.exec(text) ?? []
  if (name !== undefined) return success({ name })
  if (/[{}?#\s]/.test(text)) {
    return failure(`the segment "${text}" must be a plain text or one name, such as {id}`)
  }
  const literal = decodeSegment(text)
  if (literal === undefined) return failure(`the segment "${text}" has a broken escape`)
  // RFC 3986 section 5.2.4: they never arrive.
  return literal === '.' || literal === '..'
    ? failure(`the template has the segment "${text}", which clients resolve`)
    : success({ literal })
}

/** The text that a segment of a path stands for; undefined where an escape or its UTF-8 is broken. */
export function decodeSegment(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Puts values into a template, each escaped. */
export function fillTemplate({ segments }: Template, valueOf: (name: string) => string): string {
  const texts = segments.map((segment) =>
    encodeURIComponent('name' in segment ? valueOf(segment.name) : segment.literal),
  )
  return `/${texts.join('/')}`
}
