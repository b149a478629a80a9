/** The options of `createIde`. */
export interface IdeOptions {
  /** The title of the page. Default: 'GraphQL'. */
  readonly title?: string | undefined
  /** The document of the first tab. Default: a short welcome. */
  readonly query?: string | undefined
  /** Headers that the first tab starts with; anyone who opens the page sees them. Default: none. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** How subscriptions begin; people can change it in the page. Default: 'sse'. */
  readonly subscriptions?: 'sse' | 'websocket' | undefined
  /** Whether the browser stores what is typed into the headers editor. Default: false. */
  readonly storeHeaders?: boolean | undefined
  /** Whether files are sent with Brotli to clients that accept it. Default: true. */
  readonly brotli?: boolean | undefined
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isText = (value: unknown): boolean => typeof value === 'string'

const rows: {
  readonly [name in keyof IdeOptions]-?: readonly [
    expected: string,
    fits: (value: unknown) => boolean,
  ]
} = {
  title: ['a string', isText],
  query: ['a string', isText],
  headers: ["an object such as { 'X-Tenant': 'a' }", isHeaders],
  subscriptions: ["'sse' or 'websocket'", (value) => value === 'sse' || value === 'websocket'],
  storeHeaders: ['a boolean', isBoolean],
  brotli: ['a boolean', isBoolean],
}

/** Throws a TypeError that names the first wrong option. */
export function checkIdeOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    const row = Object.hasOwn(rows, name) ? rows[name as keyof IdeOptions] : undefined
    if (row === undefined) throw new TypeError(`createIde: ${name} is not an option.`)
    const [expected, fits] = row
    if (value === undefined || fits(value)) continue
    throw new TypeError(`createIde: ${name}: expected ${expected}.`)
  }
}

/** The attributes `data-*` of the page that say what the options say. */
export function toAttributes({
  query,
  headers,
  subscriptions,
  storeHeaders,
}: IdeOptions): readonly (readonly [name: string, value: string])[] {
  const attributes: (readonly [string, string])[] = []
  if (query !== undefined) attributes.push(['query', query])
  if (headers !== undefined) attributes.push(['headers', JSON.stringify(headers, undefined, 2)])
  if (subscriptions !== undefined) attributes.push(['subscriptions', subscriptions])
  if (storeHeaders === true) attributes.push(['store-headers', 'true'])
  return attributes
}

function isHeaders(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isText)
}
