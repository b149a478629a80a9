/** The options of `createIde`. */
export interface IdeOptions {
  /** The name of the API, which is the title of the page. Default: 'GraphQL'. */
  readonly title?: string | undefined
  /** The document of the first tab. Default: an operation made from the schema. */
  readonly query?: string | undefined
  /** Operations that buttons fill into the editors. Default: none. */
  readonly examples?: readonly IdeExample[] | undefined
  /**
   * Headers that each tab starts with; anyone who opens the page sees them. `{key}` in a value stands for the credential, as in
   * `{ 'X-API-Key': '{key}' }`: such a header is left out until a link brings the key, or its button is used. Default: none.
   */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** How subscriptions begin; people can change it in the page. Default: 'sse'. */
  readonly subscriptions?: 'sse' | 'websocket' | undefined
  /** Whether the browser stores what is typed into the headers editor. Default: false. */
  readonly storeHeaders?: boolean | undefined
  /** Whether files are sent with Brotli to clients that accept it. Default: true. */
  readonly brotli?: boolean | undefined
}

/** An operation that a button fills in, and does not run. */
export interface IdeExample {
  /** The text of the button. */
  readonly title: string
  readonly query: string
  readonly variables?: { readonly [name: string]: unknown } | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
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
  examples: ["a list such as [{ title: 'People', query: '{ people { name } }' }]", areExamples],
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

/** The options as `data-*` attributes of the page. */
export function toAttributes(options: IdeOptions): readonly (readonly [string, string])[] {
  const { query, examples, headers, subscriptions, storeHeaders } = options
  const attributes = {
    query,
    examples: examples && JSON.stringify(examples),
    headers: headers && JSON.stringify(headers),
    subscriptions,
    'store-headers': storeHeaders === true ? 'true' : undefined,
  }
  return Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
}

function isHeaders(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText)
}

function areExamples(value: unknown): boolean {
  return Array.isArray(value) && value.every(isExample)
}

function isExample(value: unknown): boolean {
  if (!isObject(value)) return false
  const { title, query, variables = {}, headers = {} } = value
  return isText(title) && isText(query) && isObject(variables) && isHeaders(headers)
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
