import { contentOf, parseJson } from '../wire/content.js'
import { fieldOf, type Exchange, type WireResponse } from '../wire/exchange.js'
import type { RequestFixture } from '../suite/fixture.js'
import { parseContentType } from '../wire/content-type.js'

/** The request that any GraphQL server answers. It is sent first. */
export const controlRequest: RequestFixture = {
  headers: { accept: 'application/graphql-response+json, application/json;q=0.9' },
  json: { query: '{ __typename }' },
}

const officialTypes = new Set(['application/graphql-response+json', 'application/json'])

export interface Diagnosis {
  readonly message: string
  /** Whether every case would find only this, so that none is run. */
  readonly isFinal: boolean
  /** Whether no complete response came, so that each probe would wait until its time limit. */
  readonly isSilent?: boolean
}

/** Explains why a target cannot be tested at all, from its response to the control request. */
export function diagnose(exchange: Exchange): Diagnosis | undefined {
  const [response] = exchange.responses
  if (response === undefined) return diagnoseSilence(exchange)
  const problem = byStatus(response)
  return problem === undefined ? byContent(response) : final(problem)
}

function diagnoseSilence({ failure = 'no response', begun }: Exchange): Diagnosis {
  if (begun !== undefined) {
    const message = `The target began to respond with ${begun}, but no client can read the response: ${failure}.`
    // Some cases test the framing of responses; an endless one must not be requested again.
    return { message, isFinal: /larger than/.test(failure), isSilent: true }
  }
  if (/^broken HTTP: (?!no valid status line)/.test(failure)) {
    return final(`The target responds, but no client can read the response: ${failure}.`)
  }
  if (/certificate|_CERT|altname/i.test(failure)) {
    return final(
      `The target's certificate is not trusted (${failure}). ` +
        'Use --insecure to accept it, or add its authority with NODE_EXTRA_CA_CERTS.',
    )
  }
  if (/EPROTO|ERR_SSL|wrong version number/i.test(failure)) {
    return final(`The target does not speak TLS (${failure}). Should the URL begin with http://?`)
  }
  return final(
    `The target accepts connections but does not respond (${failure}). ` +
      'Is it a GraphQL server, is it ready, and does it expect HTTPS?',
  )
}

function final(message: string): Diagnosis {
  return { message, isFinal: true }
}

function byStatus(response: WireResponse): string | undefined {
  const { status } = response
  if (status === 401) {
    return 'The target answered 401: pass a credential with --header, for example --header "Authorization: Bearer ...".'
  }
  if (status === 404 || status === 410) {
    return `The target answered ${status}: is this the path of its GraphQL endpoint?`
  }
  if (status >= 300 && status < 400) {
    const location = fieldOf(response, 'location')
    const to = location === undefined ? '' : ` to ${location}`
    return `The target redirects with ${status}${to}: use the URL it redirects to.`
  }
  return undefined
}

/** If the target responds as a GraphQL server does, however wrongly, the cases can test it. */
function byContent(response: WireResponse): Diagnosis | undefined {
  const { status } = response
  const content = contentOf(response)
  if (!content.ok) {
    return final(`The target sent a response that no client can read: ${content.reason}.`)
  }
  const json = parseJson(new TextDecoder().decode(content.value))
  // Cases test these.
  if (status === 406 || status === 415 || isResult(json)) return undefined
  const field = fieldOf(response, 'content-type')
  const type = field === undefined ? undefined : (parseContentType(field)?.essence ?? field)
  const what = `${status}${type === undefined ? ' without a Content-Type' : ` in ${type}`}`
  if (json === undefined && officialTypes.has(type ?? '')) {
    const message = `The target answered ${what}, but the body is not JSON. Is it complete, and is its Content-Length right?`
    return { message, isFinal: false }
  }
  return final(`The target answered ${what}${adviseOn(status)}`)
}

function adviseOn(status: number): string {
  if (status === 403) return ': is the credential sufficient? Pass one with --header.'
  if (status === 405) {
    return ': it does not accept POST here. Is this the path of its GraphQL endpoint?'
  }
  if (status >= 500) return ': it is failing, or the server that it forwards to is.'
  return ', which is not a GraphQL result: is this a GraphQL endpoint?'
}

function isResult(json: unknown): boolean {
  const map = Array.isArray(json) ? (json as readonly unknown[])[0] : json
  return typeof map === 'object' && map !== null && ('data' in map || 'errors' in map)
}
