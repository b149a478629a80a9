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
import { scanSource } from './scan-source.js'
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
    const { tokens, lines, longestNumber, nesting } = scanSource(source)
    const figures = {
      maxTokens: tokens,
      maxLines: lines,
      maxNumberLength: longestNumber,
      maxNesting: nesting,
    }
    return this.#check('syntax', source, figures, request)
  }

  /** Before validation: figures with fragments expanded. */
  ofDocument(source: string, document: DocumentNode, request: unknown): RequestError | undefined {
    return this.#check(
      'validation',
      source,
      measureDocument(document, this.#settings.limits.maxNesting),
      request,
    )
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

type Excess = Omit<LimitReport, 'document'>

function toError(excess: Excess): RequestError['errors'][number] {
  const { limit, allowed, found } = excess
  return {
    message: `The document ${limitRows[limit].phrase(found)}, more than the limit of ${allowed}.`,
    extensions: { code: 'DOCUMENT_LIMIT_EXCEEDED', ...excess },
  }
}
