/** The bug of a schema whose response is longer than `maxResponseBytes`. */
export function tooLong(operationName: string | undefined, maxResponseBytes: number): Error {
  return new Error(
    `The response to the operation ${operationName ?? '(anonymous)'} is longer than maxResponseBytes ` +
      `(${maxResponseBytes}): limit the length of its lists.`,
  )
}
