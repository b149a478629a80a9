import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Incoming, Outgoing } from '../../../src/hosts/node/exchange/incoming.js'

/** A page for a browser, whose script does what a plan says and sends back what it has seen. */
export interface Page<Answer> {
  /** Serves it; false for requests of something else. */
  serve(this: void, incoming: Incoming, outgoing: Outgoing): boolean
  readonly answer: Promise<Answer>
}

/** `script` is a file of this folder; the plan is JSON. */
export async function createPage<Answer>(
  script: string,
  plan: () => string,
): Promise<Page<Answer>> {
  const file = new URL(`../../../../spec-tests/exhaustive/clients/${script}`, import.meta.url)
  const files: { readonly [path: string]: readonly [type: string, content: () => string] } = {
    '/': ['text/html', () => html],
    '/page.mjs': ['text/javascript', () => text],
    '/plan': ['application/json', plan],
  }
  const text = await readFile(file, 'utf8')
  let answered: ((answer: Answer) => void) | undefined
  let failed: ((error: unknown) => void) | undefined
  const answer = new Promise<Answer>((resolve, reject) => ([answered, failed] = [resolve, reject]))
  return {
    answer,
    serve(incoming, outgoing) {
      const { url = '' } = incoming
      const response = outgoing as ServerResponse
      const found = Object.hasOwn(files, url) ? files[url] : undefined
      if (found !== undefined) {
        response.setHeader('content-type', found[0])
        response.end(found[1]())
      } else if (url === '/results') {
        response.end()
        void json(incoming).then((body) => answered?.(body as Answer), failed)
      } else return false
      return true
    },
  }
}

const html =
  '<!doctype html><title>graphwire</title><script type="module" src="/page.mjs"></script>'
