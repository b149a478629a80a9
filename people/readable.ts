import { fieldValue, type Handler, type HeaderList, type RequestHead } from 'graphwire'
import { chooseType, fieldLines } from 'graphwire/http'

/** The content of a page, as HTML. */
export interface Shown {
  readonly title: string
  readonly content: string
  /** The command that gets the same as JSON. */
  readonly command: string
}

type Json = string | number | boolean | null | Json[] | { readonly [name: string]: Json }

/** Headers of the JSON response that a page does not keep. */
const ofJson = new Set(['content-type', 'etag', 'link'])

/** Whether the client is rather a browser than a program. */
export function prefersHtml({ headers }: RequestHead): boolean {
  const types = ['application/json', 'text/html']
  return chooseType(fieldValue(headers, 'accept'), types) === 'text/html'
}

/** Shows lists, people, messages and problems as pages to clients that prefer HTML, which are browsers. */
export function readableFor(
  resources: Handler,
  toHtml: (shown: Shown) => string,
  pageHeaders: HeaderList,
): Handler {
  return async (request) => {
    const { method, headers } = request
    // RFC 9112 section 3.2.2: it may be in absolute form.
    const target = request.target.replace(/^https?:\/\/[^/?]*/i, '')
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || !prefersHtml(request)) return resources(request)
    // A page is made from the JSON, even if the client does not accept that, or knows the JSON.
    const others = [...fieldLines(headers)].filter(([name]) => !/^if-none-match$/i.test(name))
    const asked = [...others.flat(), 'Accept', '*/*;q=0.1']
    const response = await resources({ ...request, headers: asked })
    if (typeof response.body !== 'string' || response.body === '') return response
    const value = JSON.parse(response.body) as Json
    const host = fieldValue(headers, 'host') ?? 'localhost'
    const [, next] = /<([^>]*)>; rel="next"/.exec(fieldValue(response.headers, 'link') ?? '') ?? []
    const shown = {
      title: titleOf(response.status, target, value),
      content: contentOf(value) + (next === undefined ? '' : `<p>${link(next, 'Next page')}</p>`),
      command: escape(`curl -i 'http://${host}${target.replaceAll("'", '%27')}'`),
    }
    const lines = [...fieldLines(response.headers)]
    const kept = lines.filter(([name]) => !ofJson.has(name.toLowerCase()))
    return {
      status: response.status,
      headers: [...kept.flat(), 'Content-Type', 'text/html; charset=utf-8', ...pageHeaders],
      body: toHtml(shown),
    }
  }
}

function titleOf(status: number, target: string, value: Json): string {
  const { name, title } = isObject(value) ? value : {}
  if (typeof title === 'string') return escape(`${status}: ${title}`)
  return escape(typeof name === 'string' ? name : (target.split('?', 1)[0] ?? ''))
}

/** A list, the members of an object, or a problem with a link to other pages. */
function contentOf(value: Json): string {
  if (!isObject(value)) return listOf([value].flat().map(inLine)) || '<p>There are none.</p>'
  const { detail, errors = [] } = value
  if (typeof detail !== 'string') {
    const rows = Object.entries(value).map(([name, one]) => {
      return `<dt>${escape(name)}</dt><dd>${inLine(one)}</dd>`
    })
    return `<dl class="places">${rows.join('')}</dl>`
  }
  const faults = (errors as readonly { readonly [name: string]: string }[]).map((fault) =>
    escape(`${fault['parameter'] ?? fault['pointer']}: ${fault['detail']}`),
  )
  const elsewhere = `See ${link('/people', 'the people')}, or try requests on the ${link('/', 'start page')}.`
  const sentence = `<p class="status" data-kind="refused">${escape(detail)}</p>`
  return `${sentence}${listOf(faults)}<p>${elsewhere}</p>`
}

function listOf(items: readonly string[]): string {
  if (items.length === 0) return ''
  return `<ul class="people">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
}

/** A person is a link; of other objects, the values. */
function inLine(value: Json): string {
  if (typeof value === 'string') return escape(value)
  if (!isObject(value)) return escape(value === null ? '–' : JSON.stringify(value))
  const { id, name } = value
  if (typeof id === 'string' && typeof name === 'string') {
    return link(`/person/${encodeURIComponent(id)}`, name)
  }
  return Object.values(value).map(inLine).join(', ')
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function link(path: string, text: string): string {
  return `<a href="${escape(path)}">${escape(text)}</a>`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
