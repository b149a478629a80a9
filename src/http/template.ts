import { failure, success, type Outcome } from '../base/outcome.js'

/** One segment of a path: literal text, or a variable that matches any text. */
type TemplateSegment = { readonly literal: string } | { readonly name: string }

/** A parsed path template such as '/person/{id}'. */
export interface Template {
  readonly segments: readonly TemplateSegment[]
  /** The names of the variables, in order. */
  readonly names: readonly string[]
}

/** Parses a template; the reason of a failure is a phrase for an error message. */
export function parseTemplate(path: string): Outcome<Template, string> {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    return failure('the template must start with "/"')
  }
  const segments: TemplateSegment[] = []
  for (const text of path === '/' ? [] : path.slice(1).split('/')) {
    const segment = parseSegment(text)
    if (!segment.ok) return segment
    segments.push(segment.value)
  }
  const names = segments.flatMap((segment) => ('name' in segment ? [segment.name] : []))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined
    ? success({ segments, names })
    : failure(`the template has {${twice}} twice`)
}

function parseSegment(text: string): Outcome<TemplateSegment, string> {
  if (text === '') return failure('the template has an empty segment')
  const [, name] = /^\{([_A-Za-z]\w*)\}$/.exec(text) ?? []
  if (name !== undefined) return success({ name })
  if (/[{}?#\s]/.test(text)) {
    return failure(`the segment "${text}" must be either literal text or a variable such as {id}`)
  }
  const literal = decodeSegment(text)
  if (literal === undefined) return failure(`the segment "${text}" has an invalid percent-escape`)
  // RFC 3986 section 5.2.4: clients resolve dot segments, so they never arrive.
  return literal === '.' || literal === '..'
    ? failure(`the template has the segment "${text}", which clients remove before sending`)
    : success({ literal })
}

/** Decodes a segment of a path; undefined if a percent-escape or its UTF-8 is invalid. */
export function decodeSegment(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Fills in a template, with escaping. Fails with the first name that has no value, or one that cannot be a
 * segment.
 */
export function fillTemplate(
  { segments }: Template,
  valueOf: (name: string) => string | undefined,
): Outcome<string, string> {
  const texts: string[] = []
  for (const segment of segments) {
    const text = 'name' in segment ? valueOf(segment.name) : segment.literal
    if ('name' in segment && (text === undefined || unfit.test(text))) return failure(segment.name)
    texts.push(encodeURIComponent(text ?? ''))
  }
  return success(`/${texts.join('/')}`)
}

/** The empty segment, dot segments (RFC 3986 section 5.2.4), and lone surrogates, which have no UTF-8. */
const unfit = /^\.{0,2}$|\p{Surrogate}/u
