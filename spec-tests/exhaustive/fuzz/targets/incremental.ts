import * as graphql from 'graphql'
import { isDeepStrictEqual } from 'node:util'
import { isListType, isNullableType, Kind, parse, print, TypeInfo, visit } from 'graphql'
import type { DirectiveNode, DocumentNode, FieldNode, SelectionNode } from 'graphql'
import { deliversIncrementally } from '../../../../src/graphql/js/graphql.js'
import { createHandler } from '../../../../src/handler/handler.js'
import { testClient } from '../../../../src/hosts/testing.js'
import { mergeParts, type Merged } from '../../../incremental/merge-parts.js'
import { bodyOf, readParts } from '../../../incremental/read-parts.js'
import { makeOperation } from '../../../fuzz/documents.js'
import { fuzzOptions } from '../probe.js'
import type { Random } from '../../../fuzz/random.js'
import { smallerTexts } from '../../../fuzz/smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

interface IncrementalRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: object
  readonly accept: string
}

const types = ['multipart/mixed', 'text/event-stream', 'application/jsonl']
const specs = ['', ';incrementalSpec=v0.2', ';deferSpec=20220824']

/** Valid documents with @defer and @stream: the parts together are the result without them. */
export function incremental(): Target<IncrementalRequest> {
  const { options, verdict } = fuzzOptions()
  const unlimited = { maxDirectives: Infinity, maxIncremental: Infinity, maxCost: Infinity }
  const send = testClient(createHandler({ ...options, ...unlimited }))

  const check = async ({ accept, ...json }: IncrementalRequest): Promise<Verdict> => {
    // graphql 16 has no such executor.
    if (!deliversIncrementally(graphql)) return undefined
    const whole = await send({ json })
    const answer = await send({ json, headers: { accept: `${accept}, application/json` } })
    const type = answer.headers.get('content-type') ?? ''
    const body = await bodyOf(answer)
    const bug = verdict()
    if (bug !== undefined) return bug
    const isInParts = answer.stream !== undefined
    if (!isInParts && answer.status < 300) {
      const [found, right] = [JSON.parse(body) as Result, whole.json<Result>()]
      const isSame = isDeepStrictEqual(found.data, right.data)
      return isSame ? undefined : `whole: ${body}, not ${whole.body}`
    }
    if (!isInParts) return whole.status === answer.status ? undefined : `status: ${answer.status}`
    const format = accept.includes('deferSpec') ? '20220824' : 'v0.2'
    try {
      return compare(mergeParts(readParts(type, body), format), whole.json())
    } catch (broken) {
      return `broken: ${(broken as Error).message}`
    }
  }
  return {
    name: 'incremental',
    generate(random) {
      const { operationName, variables, ...made } = makeOperation(random, options.schema)
      const document = parse(made.query)
      const query = print(addDirectives(document, random, new TypeInfo(options.schema)))
      const accept = random.pick(types) + random.pick(specs)
      return { query, operationName, variables: variables[0] ?? {}, accept }
    },
    check,
    *smaller({ query, ...others }) {
      for (const text of smallerTexts(query)) yield { ...others, query: text }
    },
  }
}

/** Defers fragments, wraps selections into deferred ones, and streams lists. */
function addDirectives(document: DocumentNode, random: Random, info: TypeInfo): DocumentNode {
  let labels = 0
  const directive = (name: string, counts: string): DirectiveNode[] => {
    if (!random.chance(0.5)) return []
    const given = [
      random.chance(0.3) ? `label: "l${labels++}"` : '',
      random.chance(0.2) ? `if: ${random.chance(0.5)}` : '',
      counts,
    ].join(' ')
    const field = `{ a @${name}${given.trim() === '' ? '' : `(${given})`} }`
    const [operation] = parse(field).definitions
    const isOperation = operation?.kind === Kind.OPERATION_DEFINITION
    return isOperation ? [...(operation.selectionSet.selections[0]?.directives ?? [])] : []
  }
  const deferred = <Node extends SelectionNode>(node: Node): Node => ({
    ...node,
    directives: [...(node.directives ?? []), ...directive('defer', '')],
  })
  // The same field must be streamed alike wherever it may be merged: only aliased ones are.
  const streamed = (node: FieldNode): FieldNode => {
    const type = info.getType()
    const inner = type && !isNullableType(type) ? type.ofType : type
    if (node.alias === undefined || !isListType(inner)) return node
    const counts = random.chance(0.5) ? `initialCount: ${random.below(3)}` : ''
    return { ...node, directives: [...(node.directives ?? []), ...directive('stream', counts)] }
  }
  return visit(document, {
    enter(node) {
      info.enter(node)
      return undefined
    },
    leave(node) {
      let changed: unknown
      if (node.kind === Kind.FIELD) changed = streamed(node)
      else if (node.kind === Kind.INLINE_FRAGMENT) changed = deferred(node)
      else if (node.kind === Kind.FRAGMENT_SPREAD) changed = deferred(node)
      else if (node.kind === Kind.SELECTION_SET && random.chance(0.3)) {
        const at = random.below(node.selections.length)
        const selectionSet = { ...node, selections: node.selections.slice(at) }
        const fragment = deferred({ kind: Kind.INLINE_FRAGMENT, selectionSet })
        changed = { ...node, selections: [...node.selections.slice(0, at), fragment] }
      }
      info.leave(node)
      return changed
    },
  })
}

interface Result {
  readonly data?: unknown
  readonly errors?: readonly { readonly path?: unknown }[]
}

function compare(merged: Merged, right: Result): Verdict {
  const [found, wanted] = [merged.data, right.data].map((data) => JSON.stringify(data))
  if (!merged.isIncomplete && (right.errors ?? []).length === 0) {
    const isSame = isDeepStrictEqual(merged.data, right.data) && merged.errors.length === 0
    return isSame ? undefined : `data: ${found}, not ${wanted}`
  }
  if (merged.errors.length === 0) return 'errors: there are none'
  return isWithin(merged.data, right.data) ? undefined : `within: ${found} of ${wanted}`
}

/** An error in a part takes away less than in the whole: what both have is the same. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (whole === null || part === null) return true
  if (typeof part !== 'object' || typeof whole !== 'object') return part === whole
  const all = whole as { readonly [key: string]: unknown }
  return Object.entries(part).every(([key, value]) => key in all && isWithin(value, all[key]))
}
