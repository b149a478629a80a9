import type { DocumentNode } from 'graphql'
import { defaultLimits, type LimitName, type LimitReport, type LimitSettings } from './limits.js'
import { measureDocument } from './measure-document.js'
import type { RequestError } from './request-error.js'
import { scanSource } from './scan-source.js'
import { messageChannel } from './tracing.js'

/** Found figures by limit. */
type Figures = { readonly [limit in LimitName]?: number }

/** Checks figures of a document against the limits: a refusal, or reports of those that only report. */
export class LimitCheck {
  readonly #settings: LimitSettings
  readonly #channel = messageChannel('graphwire:limit')

  constructor(settings: LimitSettings) {
    this.#settings = settings
  }

  /** Before parsing: how long the text is in tokens, and how deep. */
  ofSource(source: string): RequestError | undefined {
    const { tokens, lines, nesting } = scanSource(source)
    const figures = { maxTokens: tokens, maxLines: lines, maxNesting: nesting }
    return this.#check('syntax', source, figures)
  }

  /** Before validation: what the document multiplies to. */
  ofDocument(source: string, document: DocumentNode): RequestError | undefined {
    return this.#check(
      'validation',
      source,
      measureDocument(document, this.#settings.limits.maxNesting),
    )
  }

  /** Before execution: what the operation may cost with its variables. */
  ofCost(source: string, cost: number): RequestError | undefined {
    return this.#check('validation', source, { maxCost: cost })
  }

  #check(
    kind: 'syntax' | 'validation',
    document: string,
    figures: Figures,
  ): RequestError | undefined {
    const { limits, reportOnly } = this.#settings
    for (const limit of limitNames) {
      const found = figures[limit] ?? 0
      const allowed = limits[limit]
      if (found <= allowed) continue
      // What is multiplied may be beyond what a number of JSON can say.
      const excess = { limit, allowed, found: Math.min(found, Number.MAX_SAFE_INTEGER) }
      if (reportOnly.has(limit)) this.#report({ ...excess, document })
      else return { kind, errors: [toError(excess)] }
    }
    return undefined
  }

  #report(report: LimitReport): void {
    this.#channel?.publish(report)
    this.#settings.onLimit(report)
  }
}

const limitNames = Object.keys(defaultLimits) as LimitName[]

type Excess = Omit<LimitReport, 'document'>

function toError(excess: Excess): RequestError['errors'][number] {
  const { limit, allowed, found } = excess
  return {
    message: `The document ${phrases[limit](found)}, more than the limit of ${allowed}.`,
    extensions: { code: 'DOCUMENT_LIMIT_EXCEEDED', ...excess },
  }
}

const phrases: { readonly [limit in LimitName]: (found: number) => string } = {
  maxTokens: (found) => `has ${found} tokens`,
  maxLines: (found) => `has ${found} lines`,
  maxNesting: (found) => `nests brackets at least ${found} levels deep`,
  maxDepth: (found) => `nests fields ${found} levels deep`,
  maxAliases: (found) => `has ${found} aliases`,
  maxRootFields: (found) => `asks for ${found} root fields`,
  maxDirectives: (found) => `has ${found} directives`,
  maxDirectivesPerPlace: (found) => `has ${found} directives at one place`,
  maxDefinitions: (found) => `has ${found} definitions`,
  maxVariables: (found) => `declares ${found} variables`,
  maxSchemaFields: (found) => `asks for __schema ${found} times`,
  maxTypeFields: (found) => `asks for __type ${found} times`,
  maxTypeLists: (found) => `asks for ${found} lists of a type by introspection`,
  maxCost: (found) => `costs ${found}`,
}
