/** The reason phrases of statuses that Node does not know, or whose phrase it has from before RFC 9110. */
export const reasonPhrases: { readonly [status: number]: string | undefined } = {
  294: 'Partial Success',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
}
