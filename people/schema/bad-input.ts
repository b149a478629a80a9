import { GraphQLError } from 'graphql'

/** What is wrong with one value: where it stands among the arguments, and why. */
export interface ArgumentFault {
  readonly path: readonly string[]
  readonly message: string
}

/** All faults of a call as one error. */
export function badInput(faults: readonly ArgumentFault[]): GraphQLError {
  const message = faults.map((fault) => fault.message).join(' ')
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', errors: faults } })
}

/** Throws the faults of a call, if there are any. */
export function refuseFaults(faults: readonly ArgumentFault[]): void {
  if (faults.length > 0) throw badInput(faults)
}

/** The faults of a value that is a part of another. */
export function within(part: string, faults: readonly ArgumentFault[]): readonly ArgumentFault[] {
  return faults.map(({ path, message }) => ({ path: [part, ...path], message }))
}
