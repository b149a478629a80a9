import type { Test } from 'tap'
import { serve } from '../../../src/hosts/node/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import type { Denial, EditionName, Options, Outcome } from '../../../src/index.js'

/** The editions that every client is shown. */
export const editionNames = ['2026-09', '2025-05'] as const

/** Something that differs between the editions, by edition. */
export type ByEdition<Value> = { readonly [edition in EditionName]: Value }

/** The header by which a client of these tests asks for a failure that is not GraphQL's. */
export const failureHeader = 'x-please-fail'

/** Serves the standard schema on a real socket until the test ends: the URL of its endpoint, and a fetch that is watched. */
export async function serveStandard(
  t: Test,
  edition: EditionName,
  options: Partial<Options> = {},
): Promise<{ readonly url: string } & ReturnType<typeof watchFetch>> {
  const served = await serve({
    schema: createStandardSchema(),
    host: '127.0.0.1',
    port: 0,
    edition,
    maxBodyBytes: 10_000,
    authenticate: ({ raw }) => failAsAsked(String(raw.headers[failureHeader])),
    onBug: () => {},
    ...options,
  })
  // Clients keep idle connections, and nothing is under way on them.
  t.teardown(() => served.close({ grace: 0 }))
  return { url: served.url, ...watchFetch() }
}

function failAsAsked(failure: string): Outcome<undefined, Denial> {
  if (failure === '500') throw new Error('A bug, as the client wished.')
  const denial = denials[failure] ?? denialWith(Number(failure))
  return denial === undefined ? { ok: true, value: undefined } : { ok: false, reason: denial }
}

const denials: { readonly [failure: string]: Denial } = {
  '401': { kind: 'unauthenticated', challenge: 'Bearer' },
  '403': { kind: 'forbidden' },
  '429': { kind: 'rate-limited', retryAfter: 7 },
  '503': { kind: 'unavailable', retryAfter: 7 },
}

/** A refusal with any other status, labelled as those of the server itself. */
function denialWith(status: number): Denial | undefined {
  return status >= 400 ? { kind: 'denied', status, code: 'AS_ASKED' } : undefined
}

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
