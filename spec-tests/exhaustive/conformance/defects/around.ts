import { fieldLines, fieldValue } from '../../../../src/http/message.js'
import type { Around, Layers, Request, Response } from './defect.js'

/** The two media types of responses. */
export const graphqlType = 'application/graphql-response+json'
export const jsonType = 'application/json'

/** The parameters of a request, nothing of them checked. */
export type Params = Readonly<Record<string, unknown>>
export type When = (request: Request) => boolean

/** Changes the request in front of the handler; undefined changes nothing. */
export function request(change: (request: Request) => Partial<Request> | undefined): Layers {
  return { around: (given, next) => next({ ...given, ...change(given) }) }
}

/** Changes the response behind the handler; undefined changes nothing. */
export function response(
  change: (made: Response, given: Request) => Partial<Response> | undefined,
) {
  const around: Around = async (given, next) => {
    const made = await next(given)
    return { ...made, ...change(made, given) }
  }
  return { around }
}

/** A defect in some requests only. */
export function when(test: When, { around = pass }: Layers): Layers {
  return { around: (given, next) => (test(given) ? around(given, next) : next(given)) }
}

const pass: Around = (given, next) => next(given)

/** Responds without the handler. */
function instead(made: Response): Layers {
  return { around: () => made }
}

/** One defect after the other. */
export function both(outer: Layers, inner: Layers): Layers {
  const [{ around: first = pass }, { around: second = pass }] = [outer, inner]
  return { around: (given, next) => first(given, async (changed) => second(changed, next)) }
}

/** Does the same with requests of a method. */
export const by =
  (...methods: readonly string[]): When =>
  ({ method }) =>
    methods.includes(method)

export const get: When = by('GET', 'HEAD')

/** Another status. */
export function status(from: number | readonly number[], to: number): Layers {
  const all = new Set([from].flat())
  return response((made) => (all.has(made.status) ? { status: to } : undefined))
}

/** Another value of a header of responses; undefined removes it. */
export function header(
  name: string,
  change: (value: string | undefined, made: Response, given: Request) => string | undefined,
): Layers {
  return response((made, given) => ({
    headers: { ...made.headers, [name]: change(made.headers[name], made, given) },
  }))
}

/** Removes a header of responses. */
export const without = (name: string): Layers => header(name, () => undefined)

/** A response in JSON. */
export function reply(code: number, made: unknown, type = graphqlType): Response {
  const headers = { 'content-type': `${type}; charset=utf-8`, vary: 'Accept' }
  return { status: code, headers, body: JSON.stringify(made) }
}

/** Why a request is refused. */
export const refusal = (code: number) => reply(code, { errors: [{ message: 'A defect.' }] })

/** Refuses some requests. */
export const refuse = (code: number, test: When): Layers => when(test, instead(refusal(code)))

/** Changes the JSON of responses. */
export function result(change: (made: Params, given: Request) => unknown): Layers {
  return response((made, given) => {
    const read = readJson(textOf(made))
    return isMap(read) ? { body: JSON.stringify(change(read, given)) } : undefined
  })
}

export const textOf = (made: Response): string => (typeof made.body === 'string' ? made.body : '')

/** The value of a header of a request, its lines joined. */
export const field = ({ headers }: Request, name: string): string | undefined =>
  fieldValue(headers, name)

/** Another value of a header of requests; undefined removes it. */
export function withField(given: Request, name: string, value: string | undefined): Request {
  const others = [...fieldLines(given.headers)].filter(([one]) => one.toLowerCase() !== name)
  return { ...given, headers: [...others, ...(value === undefined ? [] : [[name, value]])].flat() }
}

export function requestField(name: string, change: (value?: string) => string | undefined): Layers {
  return request((given) => withField(given, name, change(field(given, name))))
}

/** Reads another value of a header, if there is one. */
export const ownField = (name: string, change: (value: string) => string | undefined): Layers =>
  requestField(name, (value) => (value === undefined ? undefined : change(value)))

export const accept = (change: (value: string) => string): Layers => ownField('accept', change)
export const contentType = (change: (value: string) => string): Layers =>
  ownField('content-type', change)

/** Refuses some media types of bodies. */
export const refuseType = (test: RegExp): Layers =>
  contentType((value) => (test.test(value) ? 'image/defect' : value))

/** Whether only application/json is accepted. */
export const isLegacy: When = (given) => (field(given, 'accept') ?? '').trim() === jsonType

/** Reads another body. */
export function body(change: (bytes: Buffer) => Buffer | string): Layers {
  return request((given) => withBody(given, change(given.body)))
}

export function withBody(given: Request, bytes: Buffer | string): Request {
  return { ...given, body: Buffer.from(bytes as string) }
}

/** The path and the parameters of a URL. */
export function splitUrl({ target }: Request): readonly [path: string, search: URLSearchParams] {
  const [path = '', text = ''] = target.split(/\?(.*)/s)
  return [path, new URLSearchParams(text)]
}

/** Reads another query component, as the text that it is. */
export const query = (change: (text: string) => string): Layers =>
  request(({ target }) => ({ target: target.replace(/\?.*/s, change) }))

/** Reads other parameters in a URL. */
export function search(change: (read: URLSearchParams, given: Request) => void): Layers {
  return request((given) => {
    const [path, read] = splitUrl(given)
    change(read, given)
    return { target: `${path}?${read.toString()}` }
  })
}

const jsonParameters = new Set(['variables', 'extensions'])

/** The parameters of a request, in its URL or in its body; undefined where there is no JSON. */
export function paramsOf(given: Request): unknown {
  if (!get(given)) return readJson(given.body.toString())
  const fields = [...splitUrl(given)[1]].filter(([, value]) => value !== '')
  const read = (name: string, text: string) => (jsonParameters.has(name) ? readJson(text) : text)
  return Object.fromEntries(fields.map(([name, text]) => [name, read(name, text)]))
}

/** The parameters, if they are a map. */
export function mapOf(given: Request): Params {
  const read = paramsOf(given)
  return isMap(read) ? read : {}
}

/** Reads other parameters, in URLs and in bodies. */
export function params(change: (read: Params, given: Request) => unknown): Layers {
  return request((given) => {
    const read = paramsOf(given)
    return isMap(read) ? withParams(given, change(read, given)) : undefined
  })
}

export function withParams(given: Request, read: unknown): Request {
  if (!get(given)) return withBody(given, JSON.stringify(read))
  const fields = Object.entries(read as Params).filter(([, value]) => value !== undefined)
  const texts = fields.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' && !jsonParameters.has(name) ? value : JSON.stringify(value),
  ])
  return { ...given, target: `${splitUrl(given)[0]}?${new URLSearchParams(texts).toString()}` }
}

/** The same parameters by POST. */
export function asPost(given: Request): Request {
  const posted = withField({ ...given, method: 'POST' }, 'content-type', jsonType)
  return withBody(posted, JSON.stringify(paramsOf(given)))
}

/** Runs what the handler has refused with a status, and responds with what `choose` says. */
export function insteadOf(
  code: number,
  change: (given: Request) => Request,
  choose: (refused: Response, executed: Response) => Response = (_, executed) => executed,
): Layers {
  const around: Around = async (given, next) => {
    const made = await next(given)
    return made.status === code ? choose(made, await next(change(given))) : made
  }
  return { around }
}

/** That of `insteadOf`: the refusal comes, but too late. */
export const tooLate = (refused: Response): Response => refused

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export function isMap(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A map without some of its entries. */
export function omit(map: Params, ...names: readonly string[]): Params {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)))
}
