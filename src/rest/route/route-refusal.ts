import type { ProblemError } from '../../http/problem.js'
import type { RouteMethod } from './route.js'

/** Every reason for routes to reject a request, in addition to those of HTTP itself (closed union). */
export type RouteRefusal =
  | { readonly kind: 'broken-path'; readonly path: string }
  | { readonly kind: 'unknown-override'; readonly method: string }
  | { readonly kind: 'method-not-routed'; readonly method: string; readonly allow: string }
  | { readonly kind: 'type-not-accepted' }
  | {
      readonly kind: 'content-not-accepted'
      readonly mediaType: string | undefined
      readonly accepts: readonly string[]
      readonly method: RouteMethod
    }
  | { readonly kind: 'malformed-condition'; readonly field: ConditionField }
  | { readonly kind: 'condition-not-supported'; readonly field: ConditionField }
  | { readonly kind: 'only-any'; readonly field: ConditionField }
  | { readonly kind: 'too-many-tags'; readonly limit: number }
  | { readonly kind: 'condition-failed' }
  | { readonly kind: 'body-no-object' }
  | { readonly kind: 'no-alternative'; readonly members: readonly string[] }
  | { readonly kind: 'values-differ'; readonly name: string }
  | { readonly kind: 'invalid-values'; readonly errors: readonly ProblemError[] }
  | { readonly kind: 'absent'; readonly message: string | undefined }

/** The conditional headers that routes support. */
export type ConditionField = 'If-Match' | 'If-None-Match'
