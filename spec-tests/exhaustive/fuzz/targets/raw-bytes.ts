import { fieldValue } from '../../../../src/http/message.js'
import { serve } from '../../../../src/hosts/node/index.js'
import { faultOf, type SeenResponse } from '../fault-of.js'
import { readResponses } from '../http-responses.js'
import { fuzzOptions } from '../probe.js'
import { rawExchange } from '../raw-exchange.js'
import { makeBytes } from '../raw-requests.js'
import { smallerTexts } from '../../../fuzz/smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

const allowed = [200, 204, 294, 400, 403, 404, 405, 406, 413, 414, 415, 417, 422, 431, 501, 505]

/** What Node's parser answers by itself: a bare head, or for an unknown Expect. */
const nodesOwn = new Set([400, 408, 413, 417, 431])

/** Bytes over a real socket: whole, again, and in two pieces. */
export async function rawBytes(): Promise<Target<string>> {
  const { options, verdict } = fuzzOptions()
  const server = await serve({ ...options, port: 0, host: '127.0.0.1' })
  const check = async (latin1: string): Promise<Verdict> => {
    const bytes = Buffer.from(latin1, 'latin1')
    const first = readResponses(await rawExchange(server.port, bytes))
    if ('broken' in first) return `broken: ${first.broken}`
    for (const answer of first.answers) {
      if (isNodesOwn(answer)) continue
      const fault = faultOf(answer, allowed, { method: methodOf(answer) })
      if (fault !== undefined) return fault
    }
    const fault = faultOfStream(latin1, first.answers) ?? verdict()
    if (fault !== undefined) return fault
    const split = bytes.length < 2 ? undefined : 1 + ((bytes.length * 7919) % (bytes.length - 1))
    const second = readResponses(await rawExchange(server.port, bytes, split))
    if ('broken' in second) return `broken: ${second.broken}`
    const [whole, pieces] = [shown(first.answers), shown(second.answers)]
    return whole === pieces ? undefined : `pieces: ${whole} whole, and in two pieces ${pieces}`
  }
  return {
    name: 'raw-bytes',
    generate: makeBytes,
    check,
    smaller: smallerTexts,
    row: (latin1) => `Buffer.from(${JSON.stringify(latin1)}, 'latin1')`,
    close: async () => void (await server.close()),
  }
}

/** What the bytes as a whole forbid. */
function faultOfStream(latin1: string, answers: readonly SeenResponse[]): Verdict {
  const connections = answers.map(({ headers }) => fieldValue(headers, 'connection'))
  const closing = connections.findIndex((value) => value?.toLowerCase() === 'close')
  if (closing >= 0 && closing < answers.length - 1) return 'close: an answer behind the last one'
  const line = latin1.replace(/^[\r\n]+/, '').split(/\r?\n/, 1)[0] as string
  const first = answers[0]
  const isSuccess = first !== undefined && first.status < 400
  return isSuccess && !requestLine.test(line) ? `line: a ${first.status} for ${line}` : undefined
}

/** More spaces than one are within the leniency of RFC 9112 section 3. */
const requestLine = /^[A-Z]+ +[^ ]+ +HTTP\/1\.[01]$/

function isNodesOwn({ status, headers, body }: SeenResponse): boolean {
  return nodesOwn.has(status) && body === '' && !headers.includes('X-Content-Type-Options')
}

/** An answer without a body, but with its length, is one to HEAD. */
function methodOf({ body, status }: SeenResponse): string {
  return body === '' && status !== 204 ? 'HEAD' : 'POST'
}

function shown(answers: readonly SeenResponse[]): string {
  return JSON.stringify(answers.map(({ status, body }) => `${status} ${body}`))
}
