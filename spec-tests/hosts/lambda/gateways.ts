import type { LambdaEvent, LambdaResult } from '../../../src/hosts/lambda/index.js'
import { headersOf, methodOf, piecesOf, type HostRequest, type HostResponse } from '../exchange.js'

function read(request: HostRequest) {
  const headers: Record<string, string> = { host: 'api.example', ...headersOf(request) }
  const isEmpty = request.body === undefined
  const text = isEmpty ? null : Buffer.concat(piecesOf(request)).toString('base64')
  return {
    method: methodOf(request),
    query: (request.query ?? '').slice(1),
    headers,
    lists: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: { body: text, isBase64Encoded: !isEmpty },
  }
}

/** The parameters of a query, as written or decoded. */
function parametersOf(query: string, isDecoded: boolean): Record<string, string[]> | null {
  if (query === '') return null
  const pairs = isDecoded
    ? [...new URLSearchParams(query)]
    : query
        .split('&')
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  const lists: Record<string, string[]> = {}
  for (const [name = '', value = ''] of pairs) (lists[name] ??= []).push(value)
  return lists
}

function lastOf(lists: Record<string, string[]> | null): Record<string, string> | null {
  const last = Object.entries(lists ?? {}).map(([name, values]) => [name, values.at(-1) ?? ''])
  return lists && (Object.fromEntries(last) as Record<string, string>)
}

function toHostResponse(result: LambdaResult, headers: readonly string[]): HostResponse {
  const { statusCode, statusDescription = '', body, isBase64Encoded } = result
  return {
    status: statusCode,
    statusText: statusDescription.replace(/^\d+ ?/, ''),
    headers,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
}

function fromLists(result: LambdaResult): HostResponse {
  const fields = Object.entries(result.multiValueHeaders ?? {})
  const lines = fields.flatMap(([name, values]) => values.flatMap((value) => [name, value]))
  return toHostResponse(result, result.headers === undefined ? lines : ['x-wrong', 'headers'])
}

function fromValues(result: LambdaResult): HostResponse {
  const cookies = (result.cookies ?? []).flatMap((cookie) => ['set-cookie', cookie])
  const lines = [...Object.entries(result.headers ?? {}).flat(), ...cookies]
  const isRight = result.multiValueHeaders === undefined
  return toHostResponse(result, isRight ? lines : ['x-wrong', 'multiValueHeaders'])
}

function toV2(request: HostRequest, stage: string): LambdaEvent {
  const { method, query, headers, body } = read(request)
  const { cookie, ...others } = headers
  const path = stage === '$default' ? '/graphql' : `/${stage}/graphql`
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers: others,
    requestContext: { http: { method, path, sourceIp: '192.0.2.1' }, routeKey: '$default', stage },
    ...body,
  } as LambdaEvent
}

function toBalancer(request: HostRequest, isListed: boolean): LambdaEvent {
  const { method, query, headers, lists, body } = read(request)
  const parameters = parametersOf(query, false) ?? {}
  return {
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing' } },
    httpMethod: method,
    path: '/graphql',
    ...(isListed
      ? { multiValueQueryStringParameters: parameters, multiValueHeaders: lists }
      : { queryStringParameters: lastOf(parameters), headers }),
    ...body,
    body: body.body ?? '',
  }
}

function toRest(request: HostRequest): LambdaEvent {
  const { method, query, headers, lists, body } = read(request)
  const parameters = parametersOf(query, true)
  return {
    resource: '/graphql',
    path: '/graphql',
    httpMethod: method,
    headers,
    multiValueHeaders: lists,
    queryStringParameters: lastOf(parameters),
    multiValueQueryStringParameters: parameters,
    requestContext: {
      path: '/prod/graphql',
      resourcePath: '/graphql',
      stage: 'prod',
      identity: { sourceIp: '192.0.2.1' },
    },
    ...body,
  } as LambdaEvent
}

type ToEvent = (request: HostRequest) => LambdaEvent

/** The gateways: what each makes of a request, with what is used of the events that AWS documents, and of a result. */
// oxfmt-ignore
export const gateways = {
  'a REST API':                           { toEvent: toRest,                                 toResponse: fromLists },
  'an HTTP API':                          { toEvent: (request) => toV2(request, '$default'), toResponse: fromValues },
  'an HTTP API with a stage':             { toEvent: (request) => toV2(request, 'prod'),     toResponse: fromValues },
  'a load balancer':                      { toEvent: (request) => toBalancer(request, false), toResponse: fromValues },
  'a load balancer with lists of values': { toEvent: (request) => toBalancer(request, true), toResponse: fromLists },
} satisfies { readonly [name: string]: { toEvent: ToEvent, toResponse: typeof fromLists } }
