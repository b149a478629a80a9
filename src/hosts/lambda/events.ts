import { fieldLines, toHeaderList, type HeaderList } from '../../http/message.js'

type Values = Readonly<Record<string, string | undefined>>
type Lists = Readonly<Record<string, readonly string[] | undefined>>

interface WithBody {
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
}

/** An event of a REST API (payload 1.0), or of a load balancer, which has `requestContext.elb`. */
export interface LambdaEventV1 extends WithBody {
  readonly httpMethod: string
  readonly path: string
  readonly headers?: Values | null | undefined
  readonly multiValueHeaders?: Lists | null | undefined
  readonly queryStringParameters?: Values | null | undefined
  readonly multiValueQueryStringParameters?: Lists | null | undefined
  readonly requestContext?: {
    readonly elb?: unknown
    /** With the stage, which `path` does not have. */
    readonly path?: string | undefined
    readonly identity?: { readonly sourceIp?: string | undefined } | undefined
  }
}

/** An event of an HTTP API (payload 2.0) or of a function URL. */
export interface LambdaEventV2 extends WithBody {
  readonly version: string
  readonly rawPath: string
  readonly rawQueryString: string
  readonly headers: Values
  readonly cookies?: readonly string[] | undefined
  readonly requestContext: {
    readonly stage?: string | undefined
    readonly http: { readonly method: string; readonly sourceIp?: string | undefined }
  }
}

export type LambdaEvent = LambdaEventV1 | LambdaEventV2

/** The result that a gateway expects: 2.0; 1.0; a load balancer that reads lists of values; one that does not. */
export type Payload = 'v2' | 'v1' | 'balancer-lists' | 'balancer'

export interface EventHead {
  readonly payload: Payload
  readonly method: string
  readonly target: string
  readonly originalTarget: string | undefined
  readonly headers: HeaderList
}

/** Reads the event of any gateway; throws a TypeError for other events. */
export function readEvent(event: LambdaEvent): EventHead {
  if (isObject(event)) {
    if ('httpMethod' in event && 'path' in event) return readV1(event)
    if ('rawPath' in event && isObject(event.requestContext?.http)) return readV2(event)
  }
  throw new TypeError(noRequest)
}

/** The address of the client; a load balancer gives it in `X-Forwarded-For` alone. */
export function addressOf({ requestContext = {} }: LambdaEvent): string | undefined {
  return 'http' in requestContext ? requestContext.http.sourceIp : requestContext.identity?.sourceIp
}

function readV1(event: LambdaEventV1): EventHead {
  const { httpMethod: method, path, requestContext = {} } = event
  const lists = event.multiValueHeaders ?? undefined
  const isBalancer = requestContext.elb !== undefined
  const parameters = linesOf(event.multiValueQueryStringParameters ?? event.queryStringParameters)
  // A load balancer leaves the escapes of the parameters as they were; a REST API decodes them, perhaps to half a character.
  const encode = isBalancer
    ? (text: string) => text
    : (text: string) => encodeURIComponent(Buffer.from(text).toString())
  const pairs = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`)
  const query = pairs.length > 0 ? `?${pairs.join('&')}` : ''
  const { path: whole = path } = requestContext
  return {
    payload: isBalancer ? (lists ? 'balancer-lists' : 'balancer') : 'v1',
    method,
    target: path + query,
    originalTarget: whole === path ? undefined : whole + query,
    headers: linesOf(lists ?? event.headers).flat(),
  }
}

function readV2(event: LambdaEventV2): EventHead {
  const { rawPath, rawQueryString, headers, cookies, requestContext } = event
  const { stage, http } = requestContext
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`
  // Unlike the `path` of a REST API, this one begins with the stage, unless that is the default.
  const prefix = `/${stage ?? ''}`
  const hasStage = stage !== '$default' && rawPath.startsWith(`${prefix}/`)
  const path = hasStage ? rawPath.slice(prefix.length) : rawPath
  const lines = linesOf(headers).filter(([name]) => !cookies || name.toLowerCase() !== 'cookie')
  return {
    payload: 'v2',
    method: http.method,
    target: path + query,
    originalTarget: hasStage ? rawPath + query : undefined,
    headers: [...lines, ...(cookies?.length ? [['cookie', cookies.join('; ')]] : [])].flat(),
  }
}

function linesOf(fields: Values | Lists | null | undefined): (readonly [string, string])[] {
  return [...fieldLines(toHeaderList(fields ?? {}))]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

const noRequest =
  'toLambda: this event is not an HTTP request of API Gateway (payload 1.0 or 2.0), of a function URL or of a load ' +
  'balancer. Handle events of queues, schedules and the like in a function of their own.'
