import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { whileBrowsing } from './open-browser.js'

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
export interface BrowserAnswer {
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
): Promise<readonly BrowserAnswer[]> {
  const page = new URL('../../../spec-tests/clients/browser-page.mjs', import.meta.url)
  const script = await readFile(page, 'utf8')
  const server = createServer()
  const answers = new Promise<readonly BrowserAnswer[]>((resolve, reject) => {
    server.on('request', (incoming, outgoing) => {
      const give = (type: string, body: string): void => {
        outgoing.setHeader('content-type', type).end(body)
      }
      switch (incoming.url) {
        case '/':
          return give('text/html', html)
        case '/page.mjs':
          return give('text/javascript', script)
        case '/requests':
          return give('application/json', JSON.stringify(requests).replaceAll(otherSite, other()))
        case '/results':
          outgoing.end()
          return void json(incoming).then((body) => resolve(body as BrowserAnswer[]), reject)
        default:
          return listener(incoming, outgoing)
      }
    })
  })
  const port = (): number => (server.address() as AddressInfo).port
  const other = (): string => `http://localhost:${port()}`
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const url = `http://127.0.0.1:${port()}/`
    // A browser that does not come up on a busy machine gets a second chance.
    return await whileBrowsing(browser, url, answers).catch(() =>
      whileBrowsing(browser, url, answers),
    )
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const html =
  '<!doctype html><title>graphwire</title><script type="module" src="/page.mjs"></script>'
