import type { GraphQLError, GraphQLFormattedError } from 'graphql'

/**
 * The formats of incremental results: that of the specification's branch, and that of graphql-spec 48cf726 of
 * August 2022, which older clients read.
 */
export type IncrementalFormat = 'v0.2' | '20220824'

type ResponsePath = readonly (string | number)[]

/** One of the results that together are the result of an operation. Members that a format lacks are absent. */
export interface Part {
  readonly errors?: readonly GraphQLError[]
  readonly data?: unknown
  readonly pending?: readonly {
    readonly id: string
    readonly path: ResponsePath
    readonly label?: string
  }[]
  readonly incremental?: readonly Increment[]
  readonly completed?: readonly (Increment & { readonly id: string })[]
  readonly hasNext: boolean
}

/** Data of a fragment or items of a list. */
interface Increment {
  readonly errors?: readonly GraphQLError[]
}

/** Whether a part only announces that others follow. */
export function isIdle(part: Part): boolean {
  return part.hasNext && Object.keys(part).length === 1
}

/** Formats errors, and reports those that are masked. */
export type FormatErrors = (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[]

/** A part as plain data, with the errors as clients see them. Errors come first, as in other results. */
export function formatPart(part: Part, format: FormatErrors): object {
  const { incremental, completed } = part
  return {
    ...formatMember(part, format),
    ...(incremental && { incremental: incremental.map((one) => formatMember(one, format)) }),
    ...(completed && { completed: completed.map((one) => formatMember(one, format)) }),
  }
}

function formatMember(member: Increment, format: FormatErrors): object {
  const { errors, ...others } = member
  return errors === undefined ? others : { errors: format(errors), ...others }
}

/** The ids that were announced to a client and not completed. */
export class PendingIds {
  readonly #ids = new Set<string>()

  note({ pending = [], completed = [] }: Part): void {
    for (const { id } of pending) this.#ids.add(id)
    for (const { id } of completed) this.#ids.delete(id)
  }

  /** The last part of a result that cannot be finished: it completes everything with an error. */
  close(errors: readonly GraphQLFormattedError[]): object {
    return { completed: Array.from(this.#ids, (id) => ({ errors, id })), hasNext: false }
  }
}
