import type { Outcome } from '../index.js'
import { fail, type CliError } from './cli-error.js'
import type { Flag, FlagTable, Given, GivenValues } from './flag.js'
import type { Arguments, GivenText } from './read-arguments.js'

/** The variables of the environment. */
export interface Environment {
  readonly [name: string]: string | undefined
}

/** The values of all flags: a flag wins over its variables, and they over the default. */
export function readValues<Values>(
  { texts }: Arguments,
  flags: FlagTable<Values>,
  env: Environment,
): Outcome<GivenValues<Values>, CliError> {
  const values: { [name: string]: Given<unknown> } = {}
  for (const [name, flag] of Object.entries<Flag<unknown>>(flags)) {
    const given = texts.get(name) ?? fromEnvironment(flag.env, env)
    const value = readValue(flag, given)
    if (!value.ok) return value
    values[name] = value.value
  }
  // The loop above has made a value of its flag's own type for each name of the table.
  return { ok: true, value: values as GivenValues<Values> }
}

/** An empty variable is how shells and container files say that it is not set. */
function fromEnvironment(names: readonly string[], env: Environment): readonly GivenText[] {
  const from = names.find((name) => (env[name] ?? '') !== '')
  return from === undefined ? [] : [{ text: env[from] ?? '', from }]
}

function readValue(
  flag: Flag<unknown>,
  given: readonly GivenText[],
): Outcome<Given<unknown>, CliError> {
  const values: unknown[] = []
  for (const { text, from } of given) {
    const value = flag.type.read(text)
    if (value === undefined) {
      const source = from.startsWith('--') ? `The flag ${from}` : `The variable ${from}`
      return fail(
        'usage',
        `${source} takes ${flag.type.expected}, and was given ${JSON.stringify(text)}.`,
      )
    }
    values.push(value)
  }
  const [first] = given
  if (first === undefined) return { ok: true, value: { value: flag.default, from: undefined } }
  const value = flag.type.combine === undefined ? values[0] : flag.type.combine(values)
  return { ok: true, value: { value, from: first.from } }
}
