import { responseCache, type ResponseCacheOptions } from '@graphwire/response-cache'
import { createHandler, type Options } from 'graphwire'
import { testClient, type TestResponse } from 'graphwire/testing'
import { createShop } from './shop.js'

type Request = { readonly user: string }

/** A shop behind a cache; callers are who the header X-User names. */
export function start(
  options: ResponseCacheOptions<unknown, string> = {},
  more: Partial<Options<unknown, string>> = {},
) {
  const shop = createShop()
  const session = ({ principal }: { readonly principal: string }): string => principal
  const cache = responseCache<unknown, string>({ session, ...options })
  const handlerOptions: Options<unknown, string> = {
    schema: shop.schema,
    authenticate: ({ headers }) => {
      const at = headers.findIndex((name) => name.toLowerCase() === 'x-user')
      return { ok: true, value: at < 0 ? 'guest' : (headers[at + 1] ?? '') }
    },
    use: [cache.extension],
    onBug: () => {},
    ...more,
  }
  const send = testClient(createHandler(handlerOptions))
  const ask = (query: string, { user = 'guest' }: Partial<Request> = {}): Promise<TestResponse> =>
    send({ json: { query }, headers: { 'X-User': user } })
  return { shop, cache, send, ask, options: handlerOptions }
}
