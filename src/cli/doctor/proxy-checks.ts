import { contentOf } from '../../conformance/wire/content.js'
import { fieldOf, type WireResponse } from '../../conformance/wire/exchange.js'
import type { Ask, UrlAnswer, UrlChecks, UrlPlan } from './check-url.js'
import { checkIdle, type CheckVerdict } from './finding.js'

const anyQuery = { query: '{ __typename }' }

function isSuccess({ response, isGraphQL }: UrlAnswer): boolean {
  return response !== undefined && isGraphQL && response.status < 300
}

/** Software that works from a list of statuses may not know 294. */
async function checkPartial(ask: Ask, { partial: query }: UrlPlan): Promise<CheckVerdict> {
  if (query === undefined) {
    return [
      'warn',
      'not checked',
      'Only a query with a field that fails gets 294.',
      "Pass one, such as --partial '{ failing }'.",
    ]
  }
  const { response, status, isGraphQL } = await ask({ query })
  if (status === '294' && isGraphQL) return 'passes with its body'
  if (status === '422' || status === '400') {
    return [
      'warn',
      `not checked: the query of --partial gets ${status}`,
      'It is not valid for this schema, so nothing was executed.',
      'Pass a valid query with a field that fails.',
    ]
  }
  return [
    'fail',
    `${status}${isGraphQL || response === undefined ? '' : ' without the body of the server'}`,
    'Something in between does not pass 294 on, or no field failed.',
    'If the server itself answers 294, let the proxy treat it as 200 (RFC 9110 section 15): see docs/proxies.md.',
  ]
}

async function checkQuery(ask: Ask): Promise<CheckVerdict> {
  const answer = await ask(anyQuery, 'QUERY')
  if (isSuccess(answer)) return 'passes'
  return [
    'warn',
    answer.status,
    'The server or a proxy does not serve the method of RFC 10008.',
    'Let the proxy pass it on, or let clients use POST.',
  ]
}

async function checkVary(ask: Ask): Promise<CheckVerdict> {
  const { response, status } = await ask(anyQuery, 'GET')
  if (response === undefined) return noResponse(status)
  const vary = tokensOf(response, 'vary')
  if (vary.includes('accept') || vary.includes('*')) return vary.join(', ')
  if (tokensOf(response, 'cache-control').includes('no-store')) return 'none, and not stored'
  return [
    'fail',
    vary.join(', ') || 'none',
    'A cache may give one client the media type that another one asked for.',
    'Let the proxy pass `Vary: Accept` on.',
  ]
}

function noResponse(failure: string): CheckVerdict {
  return ['fail', failure, 'There is no response.', 'See the log of the proxy.']
}

/** Below the default of `maxBodyBytes`. */
const bodyKilobytes = 900

async function checkBodyLimit(ask: Ask): Promise<CheckVerdict> {
  const extensions = { padding: 'x'.repeat(bodyKilobytes * 1024) }
  const answer = await ask({ ...anyQuery, extensions })
  const { status, isGraphQL } = answer
  const size = `${bodyKilobytes} KiB`
  if (isSuccess(answer)) return `more than ${size}`
  if (status === '413' && isGraphQL) return `less than ${size}, by the server itself`
  return [
    'fail',
    `a body of ${size}: ${status}`,
    'A proxy refuses bodies that the server takes, in a form that clients of GraphQL cannot read.',
    'Raise the limit of the proxy above `maxBodyBytes`, such as `client_max_body_size 2m` of nginx.',
  ]
}

const manyTypes = {
  query: '{ __schema { types { name description fields { name description } } } }',
}

/** A response of this size is worth compressing. */
const worthBytes = 4096

async function checkCompression(ask: Ask): Promise<CheckVerdict> {
  const plain = await ask(manyTypes, 'POST', [['accept-encoding', 'identity']])
  const packed = await ask(manyTypes, 'POST', [['accept-encoding', 'gzip']])
  if (plain.response === undefined) return noResponse(plain.status)
  if (packed.response === undefined) return noResponse(packed.status)
  const unwanted = fieldOf(plain.response, 'content-encoding')
  if (unwanted !== undefined && unwanted !== 'identity') {
    return [
      'fail',
      `${unwanted}, though the client takes none`,
      'The client cannot read it.',
      'Let the proxy compress only for clients whose `Accept-Encoding` has the coding.',
    ]
  }
  const coding = fieldOf(packed.response, 'content-encoding')
  const none = `none, of ${plain.response.body.length} bytes`
  if (coding === undefined) {
    if (plain.response.body.length < worthBytes) return none
    return [
      'warn',
      none,
      'Large results are sent as they are; graphwire leaves compression to the proxy.',
      'Let the proxy compress application/graphql-response+json and application/json.',
    ]
  }
  const content = contentOf(packed.response)
  if (!content.ok || !packed.isGraphQL) {
    return [
      'fail',
      content.ok ? coding : content.reason,
      'The response cannot be decompressed.',
      'Turn the compression of the proxy off.',
    ]
  }
  const vary = tokensOf(packed.response, 'vary')
  if (vary.includes('accept-encoding') || vary.includes('*')) return coding
  return [
    'warn',
    `${coding} without Vary: Accept-Encoding`,
    'A cache may give it to a client that cannot decompress it.',
    'Let the proxy add it, such as by `gzip_vary on` of nginx.',
  ]
}

async function checkKeepAlive(ask: Ask, { balancerIdle }: UrlPlan): Promise<CheckVerdict> {
  const { response, status } = await ask(anyQuery)
  if (response === undefined) return noResponse(status)
  if (tokensOf(response, 'connection').includes('close')) {
    return [
      'warn',
      'Connection: close',
      'Each request needs a connection of its own.',
      'Let the proxy keep connections open.',
    ]
  }
  const seconds = /timeout=(\d+)/i.exec(fieldOf(response, 'keep-alive') ?? '')?.[1]
  if (seconds === undefined) return 'not announced'
  return checkIdle(
    Number(seconds),
    balancerIdle,
    `Let the server behind the balancer keep connections for more than ${balancerIdle} s (\`keepAliveTimeout\`).`,
  )
}

/** The tokens of a field, in lower case. */
function tokensOf(response: WireResponse, name: string): readonly string[] {
  const tokens = (fieldOf(response, name) ?? '').toLowerCase().split(',')
  return tokens.map((token) => token.trim())
}

/** What may break between a server and its clients, in the order in which it is checked. */
export const proxyChecks: UrlChecks = {
  294: checkPartial,
  QUERY: checkQuery,
  Vary: checkVary,
  'body limit': checkBodyLimit,
  compression: checkCompression,
  'keep-alive': checkKeepAlive,
}
