// Schemas whose introspection is large: of types as a large company has them, and of a large enum.
const times = (count, part) => Array.from({ length: count }, (_, at) => part(at)).join(' ')
const text = (length) =>
  'What the service that owns this object stored last, or null. '.repeat(2).slice(0, length)

/** Objects, inputs and enums that lead to each other, with descriptions. */
function realistic(count) {
  const [enums, inputs] = [Math.floor(count / 10), Math.floor(count / 7)]
  const objects = count - enums - inputs
  const inputType = (at) =>
    ['Int', 'String!', '[ID!]!', `E${at % enums}`, 'Boolean = false', `I${at % inputs}`][at % 6]
  const outputType = (at) =>
    ['String', 'Int!', `T${(at * 7) % objects}`, `[T${(at * 5) % objects}!]!`, `E${at % enums}`][
      at % 5
    ]
  const args = (at) =>
    `("${text(50)}" first: Int = 10 "${text(50)}" after: String "${text(40)}" filter: I${at % inputs} "${text(40)}" order: E${at % enums} = V1)`
  const field = (type) => (at) =>
    `"${text(70)}" field${at}${at % 4 === 0 ? args(type + at) : ''}: ${outputType(type + at)}`
  return [
    times(
      enums,
      (at) => `"${text(60)}" enum E${at} { ${times(10, (value) => `"${text(40)}" V${value}`)} }`,
    ),
    times(
      inputs,
      (at) =>
        `"${text(60)}" input I${at} { ${times(7, (one) => `"${text(40)}" f${one}: ${inputType(at + one)}`)} }`,
    ),
    times(
      objects,
      (at) => `"${text(100)}" type T${at} implements Node { id: ID! ${times(11, field(at))} }`,
    ),
  ].join('\n')
}

/** An enum of many values, which the fields and arguments of many types have. */
function enumerated(count) {
  const type = (at) => `type T${at} { a(x: Value, y: Value): Value b(x: Value): Value c: Value }`
  return `enum Value { ${times(250, (at) => `V${at}`)} } ${times(count, type)}`
}

const makers = { realistic, enumerated }

/** What `ATTACKED_TYPES` asks for, such as `realistic 2000`. */
export function largeTypes(wish) {
  if (wish === undefined) return ''
  const [kind, count] = wish.split(' ')
  return makers[kind](Number(count))
}
