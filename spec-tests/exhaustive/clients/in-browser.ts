import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whileBrowsing } from './open-browser.js'
import { createPage } from './page.js'

/** What the page is to pass to its fetch; `navigate` opens the URL in a frame instead. */
export interface BrowserRequest {
  readonly url: string
  readonly navigate?: boolean
  readonly method?: string
  readonly mode?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

/** What the page's fetch gave. */
export interface BrowserResponse {
  readonly status?: number
  readonly statusText?: string
  readonly ok?: boolean
  readonly kind?: string
  readonly type?: string | null
  readonly vary?: string | null
  readonly allow?: string | null
  readonly cacheControl?: string | null
  readonly body?: string
  readonly failure?: string
}

/** Stands in a URL for the same server under another name, which is another site to the browser. */
export const otherSite = 'http://other-site'

/**
 * Opens a page in the browser that sends the requests, one by one, to its own origin; the listener
 * answers whatever is not the page's. The answers come in the same order.
 */
export async function fetchInBrowser(
  browser: string,
  listener: RequestListener,
  requests: readonly BrowserRequest[],
): Promise<readonly BrowserResponse[]> {
  const server = createServer()
  const page = await createPage<readonly BrowserResponse[]>('browser-page.mjs', () =>
    JSON.stringify(requests).replaceAll(otherSite, other()),
  )
  server.on('request', (incoming, outgoing) => {
    if (!page.serve(incoming, outgoing)) listener(incoming, outgoing)
  })
  const port = (): number => (server.address() as AddressInfo).port
  const other = (): string => `http://localhost:${port()}`
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const url = `http://127.0.0.1:${port()}/`
    // A browser that does not come up on a busy machine gets a second chance.
    return await whileBrowsing(browser, url, page.answer).catch(() =>
      whileBrowsing(browser, url, page.answer),
    )
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
