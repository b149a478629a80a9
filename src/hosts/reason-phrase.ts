/** The reason phrase of a status that Node does not know, or whose phrase it has from before RFC 9110. */
export function reasonPhrase(status: number): string | undefined {
  switch (status) {
    case 294:
      return 'Partial Success'
    case 413:
      return 'Content Too Large'
    case 422:
      return 'Unprocessable Content'
  }
  return undefined
}
