/** Throws where an answer is longer than a client can be expected to take: a bug of the schema. */
export function checkLength(
  body: string,
  operationName: string | undefined,
  { maxAnswerBytes }: { readonly maxAnswerBytes: number },
): void {
  if (!isLonger(body, maxAnswerBytes)) return
  throw new Error(
    `The answer to the operation ${operationName ?? '(anonymous)'} is longer than maxAnswerBytes, ` +
      `which is ${maxAnswerBytes}: bound its lists.`,
  )
}

/** Whether a text has more bytes of UTF-8; they are counted only where it may be so. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false
  return text.length > maxBytes || new TextEncoder().encode(text).byteLength > maxBytes
}
