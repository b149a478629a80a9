import { STATUS_CODES } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Has } from './defects.js'
import type { Response } from './message.js'

/** The bytes of a response. */
export function toBytes(response: Response, isHead: boolean, closes: boolean, has: Has): Buffer {
  const { status, headers } = response
  const text = Buffer.from(response.body, has('answer-in-latin1') ? 'latin1' : 'utf8')
  const body = has('always-gzip') ? gzipSync(text) : text
  const hasBody = status !== 204
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? (status === 294 ? 'Partial Success' : '')}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(has('date-missing') ? [] : [`date: ${new Date().toUTCString()}`]),
    ...(has('always-gzip') ? ['content-encoding: gzip'] : []),
    ...(hasBody || has('204-with-a-length')
      ? [`content-length: ${declaredLength(response.body, body, isHead, has)}`]
      : []),
    ...(closes ? ['connection: close'] : []),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (!hasBody || (isHead && !has('head-has-a-body'))) return head
  if (has('answer-cut-short')) return Buffer.concat([head, body.subarray(0, body.length - 1)])
  return Buffer.concat([head, body])
}

function declaredLength(text: string, body: Buffer, isHead: boolean, has: Has): number {
  if (has('length-in-characters')) return text.length
  if (has('length-too-short')) return Math.max(0, body.length - 1)
  if (has('length-too-long')) return body.length + 1
  if (isHead && has('head-length-zero')) return 0
  return body.length
}
