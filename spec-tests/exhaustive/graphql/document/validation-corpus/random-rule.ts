import type { ASTNode, ValidationContext } from 'graphql'
import type { ValidationRule } from '../../../../../src/graphql/js/graphql.js'
import type { Log, TestedGraphQL } from '../../../../graphql/document/validation-corpus/compare.js'
import { Random } from '../../../../graphql/document/validation-corpus/random.js'

const kinds = ['Document', 'OperationDefinition', 'VariableDefinition', 'Variable', 'SelectionSet']
  .concat(['Field', 'Argument', 'FragmentSpread', 'InlineFragment', 'FragmentDefinition', 'Name'])
  .concat(['IntValue', 'ObjectValue', 'ObjectField', 'Directive', 'NamedType', 'NonNullType'])

type Phase = 'enter' | 'leave'
type Visit = (node: ASTNode, ...rest: unknown[]) => unknown

/** A rule that skips, ends, edits, reports and throws as its seed wants, the same way at each run. */
export function randomRule(module: TestedGraphQL, seed: number, log: Log): ValidationRule {
  const visits = (context: ValidationContext, phase: Phase): Visit =>
    function visit(this: unknown, node, key, parent, path, ancestors) {
      const place = `${node.kind} ${node.loc?.start ?? '-'} ${phase}`
      log.push(`${seed} ${place} ${text(key)} ${kindOf(parent)} ${text(path)} ${text(ancestors)}`)
      if (typeof this !== 'object') log.push('this is lost')
      return act(module, context, node, new Random(hash(`${seed} ${place}`)))
    }

  return (context) => {
    const random = new Random(seed)
    const visitor: { [key: string]: unknown } = {}
    const [enter, leave] = [visits(context, 'enter'), visits(context, 'leave')]
    for (let left = random.below(4); left > 0; left--) {
      visitor[random.pick(kinds)] = random.pick([enter, { enter }, { leave }, { enter, leave }, {}])
    }
    const generic = random.below(4)
    if (generic === 1 || generic === 2) visitor['enter'] = enter
    if (generic === 2 || generic === 3) visitor['leave'] = leave
    if (random.below(3) === 0) visitor[random.pick(kinds)] = undefined
    return visitor
  }
}

function act(
  module: TestedGraphQL,
  context: ValidationContext,
  node: ASTNode,
  random: Random,
): unknown {
  const { BREAK, GraphQLError } = module
  const report = (): void => {
    context.reportError(
      new GraphQLError(`${node.kind} in ${String(context.getParentType())}`, { nodes: node }),
    )
  }
  switch (random.below(160)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return false
    case 5:
      return BREAK
    case 6:
      return null
    case 7:
    case 8:
      return { ...node }
    case 9:
      return { kind: 'Name', value: 'other' }
    case 10:
      return random.pick<unknown>(['text', 0, {}, true])
    case 11:
      if (random.below(8) === 0) throw new Error(`${node.kind} is too much`)
      return report()
    case 12:
    case 13:
    case 14:
    case 15:
      return report()
    default:
      return undefined
  }
}

function text(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.map((one) => (typeof one === 'object' ? kindOf(one) : String(one))).join('.')
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : String((value as { kind?: unknown } | undefined)?.kind)
}

/** FNV-1a, as a seed. */
function hash(place: string): number {
  let mixed = 0x811c9dc5
  for (const character of place) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193)
  return mixed
}
