import type { ASTNode, ASTVisitor, DocumentNode, GraphQLError, GraphQLSchema } from 'graphql'
import type { ErrorOptions, GraphQLModule, ValidationRule } from '../js/graphql.js'

/** Validates a document against a schema; throws if the schema itself is invalid. */
export type Validate = (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[]

/** A `validate()` with fixed rules that returns the same errors, faster. The first rules are those of graphql-js. */
export function createValidate(
  graphql: GraphQLModule,
  rules: readonly ValidationRule[],
  options: ErrorOptions,
): Validate {
  const usual = new Set([...graphql.specifiedRules, graphql.NoSchemaIntrospectionCustomRule])
  const firstOther = rules.findIndex((rule) => !usual.has(rule))
  const end = firstOther < 0 ? rules.length : firstOther
  const merged = [mergeRules(graphql, rules.slice(0, end)), ...rules.slice(end)]
  return (schema, document) => graphql.validate(schema, document, merged, options)
}

/**
 * Merges rules of graphql-js into one that runs them in order. `validate()` builds a table of every kind times every
 * rule at each call, and checks every rule at each node. Most rules visit one or two kinds, and the merged
 * rule has only those: 30 instead of 105 us for `{ hello }` on both majors, and 0.6 to 0.95 times as long
 * for large documents. The merged rule runs in `validate()` itself, so context, error limit, abort
 * conditions and channel are those of graphql-js.
 */
function mergeRules(graphql: GraphQLModule, rules: readonly ValidationRule[]): ValidationRule {
  const everyKind = Object.values(graphql.Kind)
  return (context) => {
    const steps: Steps = new Map()
    for (const rule of rules) {
      const visitor = rule(context) as Readonly<Record<string, VisitFunction | KindVisitor>>
      const skip: Skip = { node: undefined }
      // Their visitors are object literals. One with `enter` visits every kind, others those of their keys.
      for (const kind of 'enter' in visitor ? everyKind : Object.keys(visitor)) {
        const visit = visitor[kind] ?? visitor['enter'] ?? {}
        const { enter, leave } =
          typeof visit === 'function' ? { enter: visit, leave: undefined } : visit
        const step = { enter, leave, skip }
        const others = steps.get(kind)
        if (others === undefined) steps.set(kind, [step])
        else others.push(step)
      }
    }
    return runSteps(steps)
  }
}

/** The node, followed by key, parent, path and ancestors, which are passed through. */
type VisitFunction = (node: ASTNode, ...place: unknown[]) => unknown

/** The node whose subtree a rule skips. */
interface Skip {
  node: ASTNode | undefined
}

interface KindVisitor {
  readonly enter?: VisitFunction | undefined
  readonly leave?: VisitFunction | undefined
}

/** What a rule does at nodes of a kind. */
interface ValidationStep extends KindVisitor {
  readonly skip: Skip
}

/** The steps of each kind in the order of the rules; kinds that no rule visits have none. */
type Steps = Map<string, ValidationStep[]>

const none: readonly ValidationStep[] = []

/** Runs the steps of a node. These rules return false to skip what is inside, or nothing. */
function runSteps(steps: Steps): ASTVisitor {
  return {
    // Passed one by one: collecting and spreading the arguments costs more than most rules.
    enter(node, key, parent, path, ancestors) {
      for (const { skip, enter } of steps.get(node.kind) ?? none) {
        if (!enter || skip.node !== undefined) continue
        if (enter(node, key, parent, path, ancestors) === false) skip.node = node
      }
    },
    leave(node, key, parent, path, ancestors) {
      for (const { skip, leave } of steps.get(node.kind) ?? none) {
        if (skip.node === node) skip.node = undefined
        else if (leave && skip.node === undefined) leave(node, key, parent, path, ancestors)
      }
    },
  }
}
