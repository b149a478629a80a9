import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runInPage } from './drive-browser.js'

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

/** Sends the requests from a page of the listener's origin, one by one. The answers come in the same order. */
export async function fetchInBrowser(
  browser: string,
  listener: RequestListener,
  requests: readonly BrowserRequest[],
): Promise<readonly BrowserResponse[]> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const plan = JSON.stringify(requests).replaceAll(otherSite, `http://localhost:${port}`)
  try {
    return await runInPage(browser, `http://127.0.0.1:${port}/`, 'browser-page.mjs', plan)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
