/** Throws if a response is longer than `maxAnswerBytes`, which is a bug of the schema. */
export function checkLength(
  body: string,
  operationName: string | undefined,
  { maxAnswerBytes }: { readonly maxAnswerBytes: number },
): void {
  if (!isLonger(body, maxAnswerBytes)) return
  throw new Error(
    `The response to the operation ${operationName ?? '(anonymous)'} is longer than maxAnswerBytes ` +
      `(${maxAnswerBytes}): limit the length of its lists.`,
  )
}

/** Whether a text has more bytes of UTF-8; they are counted only if it is long enough. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false
  return text.length > maxBytes || new TextEncoder().encode(text).byteLength > maxBytes
}
