import { contentOf } from '../../../conformance/wire/content.js'
import { fieldOf } from '../../../conformance/wire/exchange.js'
import { fine, type Finding } from '../findings/finding.js'
import { tokensOf, type Answer, type Ask, type UrlCheck } from './check-url.js'

/** What the checks compare with. */
interface ProxyPlan {
  /** A query with a field that fails. */
  readonly partial: string | undefined
  /** How long the balancer keeps idle connections, in seconds. */
  readonly balancerIdle: number | undefined
}

/** What may break between a server and its clients, in the order in which it is checked. */
export function listProxyChecks({ partial, balancerIdle }: ProxyPlan): readonly UrlCheck[] {
  return [
    (ask) => checkPartial(ask, partial),
    checkQuery,
    checkVary,
    checkBodyLimit,
    checkCompression,
    (_, control) => checkIdle(control, balancerIdle),
  ]
}

/** Software that works from a list of statuses may not know 294. */
async function checkPartial(ask: Ask, query: string | undefined): Promise<Finding> {
  const check = '294'
  if (query === undefined) {
    return {
      check,
      state: 'warn',
      found: 'not checked',
      why: 'Only a query with a field that fails gets 294.',
      remedy: "Pass one, such as --partial '{ failing }'.",
    }
  }
  const { response, isGraphQL, failure } = await ask({ json: { query } })
  const status = response?.status
  if (status === 294 && isGraphQL) return fine(check, 'passes with its body')
  if (status === 422 || status === 400) {
    return {
      check,
      state: 'warn',
      found: `not checked: the query of --partial gets ${status}`,
      why: 'It is not valid for this schema, so nothing was executed.',
      remedy: 'Pass a valid query with a field that fails.',
    }
  }
  if (status === 200 && isGraphQL) {
    return {
      check,
      state: 'fail',
      found: '200',
      why: 'Either no field failed, or the server or a proxy replaced the status: clients take a partial result for a whole one.',
      remedy:
        'Send the query to the server itself. If it answers 294 there, let the proxy pass the status on.',
    }
  }
  return {
    check,
    state: 'fail',
    found:
      status === undefined
        ? failure
        : `${status}${isGraphQL ? '' : ' without the body of the server'}`,
    why: 'Something in between does not pass 294 on.',
    remedy: 'Let the proxy treat 294 as 200 (RFC 9110 section 15): see docs/proxies.md.',
  }
}

async function checkQuery(ask: Ask): Promise<Finding> {
  const check = 'QUERY'
  const { response, isGraphQL, failure } = await ask({
    method: 'QUERY',
    json: { query: '{ __typename }' },
  })
  if (response !== undefined && isGraphQL && response.status < 300) return fine(check, 'passes')
  const isRefused = isGraphQL && response?.status === 405
  return {
    check,
    state: 'warn',
    found: response === undefined ? failure : String(response.status),
    why: isRefused
      ? 'The server itself does not serve this method.'
      : 'A proxy does not pass on the method of RFC 10008.',
    remedy: isRefused
      ? 'Clients must use POST or GET.'
      : 'Let the proxy pass it on, or let clients use POST.',
  }
}

async function checkVary(ask: Ask): Promise<Finding> {
  const check = 'Vary'
  const { response, failure } = await ask({ method: 'GET', json: { query: '{ __typename }' } })
  if (response === undefined) {
    return {
      check,
      state: 'fail',
      found: failure,
      why: 'A GET has no response.',
      remedy: 'See the log of the proxy.',
    }
  }
  const vary = tokensOf(response, 'vary')
  if (vary.includes('accept') || vary.includes('*')) return fine(check, vary.join(', '))
  if (tokensOf(response, 'cache-control').includes('no-store'))
    return fine(check, 'none, and not stored')
  return {
    check,
    state: 'fail',
    found: vary.join(', ') || 'none',
    why: 'A cache may give one client the media type that another one asked for.',
    remedy: 'Let the proxy pass `Vary: Accept` on.',
  }
}

/** Below the default of `maxBodyBytes`. */
const bodyBytes = 900 * 1024

async function checkBodyLimit(ask: Ask): Promise<Finding> {
  const check = 'body limit'
  const extensions = { padding: 'x'.repeat(bodyBytes) }
  const { response, isGraphQL, failure } = await ask({
    json: { query: '{ __typename }', extensions },
  })
  const size = `${bodyBytes / 1024} KiB`
  if (response !== undefined && isGraphQL && response.status < 300)
    return fine(check, `more than ${size}`)
  if (response?.status === 413 && isGraphQL)
    return fine(check, `less than ${size}, by the server itself`)
  return {
    check,
    state: 'fail',
    found: `a body of ${size}: ${response?.status ?? failure}`,
    why: 'A proxy refuses bodies that the server takes, in a form that clients of GraphQL cannot read.',
    remedy:
      'Raise the limit of the proxy above `maxBodyBytes`, such as `client_max_body_size 2m` of nginx.',
  }
}

const manyTypes = '{ __schema { types { name description fields { name description } } } }'

/** A response of this size is worth compressing. */
const worthBytes = 4096

async function checkCompression(ask: Ask): Promise<Finding> {
  const check = 'compression'
  const plain = await ask({
    headers: [['accept-encoding', 'identity']],
    json: { query: manyTypes },
  })
  const packed = await ask({ headers: [['accept-encoding', 'gzip']], json: { query: manyTypes } })
  if (plain.response === undefined || packed.response === undefined) {
    const found = plain.response === undefined ? plain.failure : packed.failure
    return {
      check,
      state: 'fail',
      found,
      why: 'There is no response to compress.',
      remedy: 'See the log of the proxy.',
    }
  }
  const unwanted = fieldOf(plain.response, 'content-encoding')
  if (unwanted !== undefined && unwanted !== 'identity') {
    return {
      check,
      state: 'fail',
      found: `${unwanted}, though the client takes none`,
      why: 'The client cannot read it.',
      remedy: 'Let the proxy compress only for clients whose `Accept-Encoding` has the coding.',
    }
  }
  const coding = fieldOf(packed.response, 'content-encoding')
  if (coding === undefined) {
    const { length } = plain.response.body
    if (length < worthBytes) return fine(check, `none, of ${length} bytes`)
    return {
      check,
      state: 'warn',
      found: `none, of ${length} bytes`,
      why: 'Large results are sent as they are; graphwire leaves compression to the proxy.',
      remedy: 'Let the proxy compress application/graphql-response+json and application/json.',
    }
  }
  const content = contentOf(packed.response)
  if (!content.ok || !packed.isGraphQL) {
    return {
      check,
      state: 'fail',
      found: content.ok ? coding : content.reason,
      why: 'The response cannot be decompressed.',
      remedy: 'Turn the compression of the proxy off.',
    }
  }
  const vary = tokensOf(packed.response, 'vary')
  if (vary.includes('accept-encoding') || vary.includes('*')) return fine(check, coding)
  return {
    check,
    state: 'warn',
    found: `${coding} without Vary: Accept-Encoding`,
    why: 'A cache may give it to a client that cannot decompress it.',
    remedy: 'Let the proxy add it, such as by `gzip_vary on` of nginx.',
  }
}

async function checkIdle({ response }: Answer, idle: number | undefined): Promise<Finding> {
  const check = 'keep-alive'
  const field = response && fieldOf(response, 'keep-alive')
  const seconds = Number(/timeout=(\d+)/i.exec(field ?? '')?.[1] ?? Number.NaN)
  const closes = response !== undefined && tokensOf(response, 'connection').includes('close')
  if (closes) {
    return {
      check,
      state: 'warn',
      found: 'Connection: close',
      why: 'Each request needs a connection of its own.',
      remedy: 'Let the proxy keep connections open.',
    }
  }
  if (Number.isNaN(seconds)) return fine(check, 'not announced')
  if (idle === undefined) return fine(check, `${seconds} s; say --balancer-idle to compare`)
  if (seconds > idle) return fine(check, `${seconds} s, longer than the balancer's ${idle} s`)
  return {
    check,
    state: 'fail',
    found: `${seconds} s, not longer than the balancer's ${idle} s`,
    why: 'The balancer may send a request on a connection that is being closed: a 502 now and then.',
    remedy: `Let the server behind the balancer keep connections for more than ${idle} s (\`keepAliveTimeout\`).`,
  }
}
