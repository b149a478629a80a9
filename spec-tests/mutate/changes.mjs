// The changes that a compiled module allows, each to be made alone.
import { parse } from 'acorn'

function bothWays(...texts) {
  const pairs = texts.map((text) => text.split(' '))
  return Object.fromEntries(pairs.flatMap((pair) => [pair, pair.toReversed()]))
}

const comparisons = bothWays('=== !==', '== !=', '< <=', '> >=')
const sums = bothWays('+ -', '+= -=')
const isText = ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string'

/** What each kind of node allows: the kind of the change, its start and end, and what comes there. */
const rules = {
  BinaryExpression: ({ left, operator, right }, source) => {
    const at = [left.end, right.start]
    const put = (to) => source.slice(...at).replace(operator, to)
    if (operator in comparisons) return [['comparison', ...at, put(comparisons[operator])]]
    if (!(operator in sums) || isText(left) || isText(right)) return []
    return [['sum', ...at, put(sums[operator])]]
  },
  AssignmentExpression: ({ left, operator, right }, source) => {
    if (!(operator in sums) || isText(right)) return []
    const at = [left.end, right.start]
    return [['sum', ...at, source.slice(...at).replace(operator, sums[operator])]]
  },
  LogicalExpression: ({ start, left, operator, right, end }, source) => {
    const at = [left.end, right.start]
    // Either side can be in parentheses.
    if (operator === '??') {
      const leftEnd = left.end + source.slice(...at).indexOf('??')
      return [['fallback', start, end, `(${source.slice(start, leftEnd).trim()})`]]
    }
    const to = operator === '&&' ? '||' : '&&'
    return [['logic', ...at, source.slice(...at).replace(operator, to)]]
  },
  UnaryExpression: ({ start, operator, end }, source) =>
    operator === '!' ? [['negation', start, end, source.slice(start + 1, end)]] : [],
  IfStatement: ({ test: { start, end } }) => [
    ['always', start, end, 'true'],
    ['never', start, end, 'false'],
  ],
  ConditionalExpression: ({ test: { start, end } }, source) => [
    ['branches', start, end, `!(${source.slice(start, end)})`],
  ],
  Literal: ({ start, end, value, raw }) => {
    if (typeof value === 'number') return [['number', start, end, String(value + 1)]]
    if (typeof value === 'boolean') return [['boolean', start, end, String(!value)]]
    return typeof value === 'string' && raw.length > 2 ? [['string', start, end, "''"]] : []
  },
  ReturnStatement: ({ argument }) => toUndefined(argument),
  ArrowFunctionExpression: ({ body }) =>
    body.type === 'BlockStatement' || body.type === 'ObjectExpression' ? [] : toUndefined(body),
  ExpressionStatement: ({ start, expression, end }) => {
    const call = expression.type === 'AwaitExpression' ? expression.argument : expression
    const isCall = call.type === 'CallExpression' && call.callee.type !== 'Super'
    return isCall ? [['call', start, end, ';']] : []
  },
}

function toUndefined(value) {
  // What asks for false takes undefined for it.
  if (value === null || value.name === 'undefined' || value.value === false) return []
  return [['return', value.start, value.end, 'undefined']]
}

/** Every change of a module, in its order. Imports, names of properties and the messages of errors stay. */
export function listChanges(source) {
  const changes = []
  const visit = (node) => {
    if (/^(?:Import|ExportAll)/.test(node.type) || node.type === 'ThrowStatement') return
    if (node.type === 'ExportNamedDeclaration' && node.source !== null) return
    for (const [kind, start, end, text] of rules[node.type]?.(node, source) ?? []) {
      changes.push({ kind, start, end, text })
    }
    for (const [name, child] of Object.entries(node)) {
      if (name === 'key' && !node.computed) continue
      for (const one of Array.isArray(child) ? child : [child]) {
        if (typeof one?.type === 'string') visit(one)
      }
    }
  }
  visit(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }))
  return changes
}
