import type { DocumentNode } from 'graphql'
import type { Costs } from './cost/cost.js'
import {
  limitNames,
  limitRows,
  type LimitName,
  type LimitReport,
  type LimitSettings,
} from './limits.js'
import { measureDocument } from './measure-document.js'
import type { RequestError } from '../errors/request-error.js'
import { messageChannel } from '../js/tracing.js'

/** Measured figures by limit. */
type Figures = { readonly [limit in LimitName]?: number }

/**
 * Checks figures of a document against the limits. Returns a refusal; limits of `reportOnly` are reported
 * instead.
 */
export class LimitCheck {
  readonly #settings: LimitSettings
  readonly #channel = messageChannel('graphwire:limit')

  constructor(settings: LimitSettings) {
    this.#settings = settings
  }

  /** Before parsing: number of tokens and nesting of the text. */
  ofSource(source: string, request: unknown): RequestError | undefined {
    return this.#check('syntax', source, scanSource(source), request)
  }

  /** Before validation: figures with fragments expanded. */
  ofDocument(source: string, document: DocumentNode, request: unknown): RequestError | undefined {
    const figures = measureDocument(document, this.#settings.limits.maxNesting)
    return this.#check('validation', source, figures, request)
  }

  /** Before execution: the cost of the operation with its variables. */
  ofCosts(
    source: string,
    { cost, introspectionSize }: Costs,
    request: unknown,
  ): RequestError | undefined {
    const sizes = { maxCost: cost, maxIntrospectionSize: introspectionSize }
    return this.#check('validation', source, sizes, request)
  }

  #check(
    kind: 'syntax' | 'validation',
    document: string,
    figures: Figures,
    request: unknown,
  ): RequestError | undefined {
    const { limits, reportOnly } = this.#settings
    for (const limit of limitNames) {
      const found = figures[limit] ?? 0
      const allowed = limits[limit]
      if (found <= allowed) continue
      // Multiplied figures may be Infinity, which JSON cannot represent.
      const excess = { limit, allowed, found: Math.min(found, Number.MAX_SAFE_INTEGER) }
      if (reportOnly.has(limit)) this.#report({ ...excess, document }, request)
      else return { kind, errors: [toError(excess)] }
    }
    return undefined
  }

  #report(report: LimitReport, request: unknown): void {
    this.#channel?.publish(report)
    this.#settings.onLimit(report, request)
  }
}

type Excess = Pick<LimitReport, 'allowed' | 'found'> & { readonly limit: LimitName }

function toError(excess: Excess): RequestError['errors'][number] {
  const { limit, allowed, found } = excess
  return {
    message: `The document ${limitRows[limit].phrase(found)}, more than the limit of ${allowed}.`,
    extensions: { code: 'DOCUMENT_LIMIT_EXCEEDED', ...excess },
  }
}

/** Figures of a source text, measured before it is parsed. */
export type SourceFigures = {
  readonly [limit in 'maxTokens' | 'maxLines' | 'maxNumberLength' | 'maxNesting']: number
}

/**
 * Counts tokens and nesting in one loop, without recursion: the recursive parser must never see text that
 * would overflow its stack. Syntax errors are left to the parser.
 */
export function scanSource(source: string): SourceFigures {
  let tokens = 0
  let longestNumber = 0
  let nesting = 0
  let open = 0
  let at = 0
  while (at < source.length) {
    const code = source.charCodeAt(at)
    if (isNameStart(code)) {
      tokens++
      at = endOfName(source, at + 1)
    } else if (isIgnored(code)) {
      at++
    } else if (code === hash) {
      at = endOfLine(source, at)
    } else if (code === quote) {
      tokens++
      at = endOfString(source, at)
    } else if (isDigit(code) || code === minus) {
      tokens++
      const end = endOfNumber(source, at + 1)
      longestNumber = Math.max(longestNumber, end - at)
      at = end
    } else {
      tokens++
      if (code === openBrace || code === openBracket || code === openParen) {
        open++
        if (open > nesting) nesting = open
      } else if (code === closeBrace || code === closeBracket || code === closeParen) {
        open--
      }
      at += code === dot && source.startsWith('...', at) ? 3 : 1
    }
  }
  return {
    maxTokens: tokens,
    maxLines: countLines(source),
    maxNumberLength: longestNumber,
    maxNesting: nesting,
  }
}

/** Lines in strings and comments count too, because graphql-js counts them when it locates errors. */
function countLines(source: string): number {
  let lines = 1
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) lines++
  for (let at = source.indexOf('\r'); at >= 0; at = source.indexOf('\r', at + 1)) {
    if (source.charCodeAt(at + 1) !== 0x0a) lines++
  }
  return lines
}

const hash = 0x23
const quote = 0x22
const minus = 0x2d
const dot = 0x2e
const backslash = 0x5c
const [openBrace, closeBrace] = [0x7b, 0x7d]
const [openBracket, closeBracket] = [0x5b, 0x5d]
const [openParen, closeParen] = [0x28, 0x29]

function isNameStart(code: number): boolean {
  // 0x20 makes letters lower case.
  return ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code === 0x5f
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Whitespace, line terminators, commas and the byte order mark. */
function isIgnored(code: number): boolean {
  return (
    code === 0x20 ||
    code === 0x0a ||
    code === 0x2c ||
    code === 0x0d ||
    code === 9 ||
    code === 0xfeff
  )
}

function endOfName(source: string, start: number): number {
  let at = start
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (!isNameStart(code) && !isDigit(code)) break
  }
  return at
}

/** A sign is part of a number only at its start and after `e`: `1-1` is two tokens. */
function endOfNumber(source: string, start: number): number {
  let at = start
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (isDigit(code) || isNameStart(code) || code === dot) continue
    const isSign = code === minus || code === 0x2b
    if (!isSign || (source.charCodeAt(at - 1) | 0x20) !== 0x65) break
  }
  return at
}

function endOfLine(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === 0x0a || code === 0x0d) return at
  }
  return source.length
}

function endOfString(source: string, start: number): number {
  if (source.startsWith('"""', start)) {
    let end = source.indexOf('"""', start + 3)
    while (end > 0 && source.charCodeAt(end - 1) === backslash) end = source.indexOf('"""', end + 3)
    return end < 0 ? source.length : end + 3
  }
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) at++
    // The parser stops here as well: a string must end on its line.
    else if (code === 0x0a || code === 0x0d) return source.length
  }
  return source.length
}
