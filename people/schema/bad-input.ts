import { GraphQLError } from 'graphql'

/** One invalid value: its path in the arguments, and the reason. */
export interface ArgumentFault {
  readonly path: readonly string[]
  readonly message: string
}

/** All invalid values of a call as one error. */
export function badInput(faults: readonly ArgumentFault[]): GraphQLError {
  const message = faults.map((fault) => fault.message).join(' ')
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', errors: faults } })
}

/** Throws an error if there are invalid values. */
export function refuseFaults(faults: readonly ArgumentFault[]): void {
  if (faults.length > 0) throw badInput(faults)
}

/** The invalid values inside a member of an input. */
export function within(part: string, faults: readonly ArgumentFault[]): readonly ArgumentFault[] {
  return faults.map(({ path, message }) => ({ path: [part, ...path], message }))
}
