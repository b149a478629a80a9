/** What went over the wire, as far as a client's behaviour hangs on it. */
export interface Seen {
  readonly method: string
  readonly accept: string | undefined
  readonly status: number
  readonly type: string
}

/** A fetch to give to a client, and the list of what it has seen. */
export function watchFetch(): { readonly fetch: typeof fetch; readonly seen: Seen[] } {
  const seen: Seen[] = []
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    seen.push({
      method: init?.method ?? 'GET',
      accept: new Headers(init?.headers).get('accept') ?? undefined,
      status: response.status,
      type: response.headers.get('content-type')?.split(';')[0] ?? '',
    })
    return response
  }
  return { fetch: watched, seen }
}
