import { isInUrl, type Call, type Reply } from './call.js'
import type { Has } from './defects.js'
import { entityTag, listsTag } from './entity-tag.js'

const late = 'Fri, 31 Dec 2099 23:59:59 GMT'

/** Gives an answer its validators and its lifetime, and makes it a 304 where the client has it. */
export function condition(call: Call, reply: Reply, has: Has): Reply {
  const fresh = has('fresh-everything') ? { 'Cache-Control': 'public, max-age=600' } : {}
  if (isNotModified(call, reply, has)) return notModified(call, reply, has)
  if (!isInUrl(call) || reply.status !== 200) {
    return { ...reply, headers: { ...reply.headers, ...fresh } }
  }
  const headers = { ...reply.headers, ...validators(call, reply, has), ...fresh }
  return call.method === 'HEAD'
    ? { ...reply, headers: withoutSome(headers, has) }
    : { ...reply, headers }
}

function validators(call: Call, reply: Reply, has: Has): Record<string, string> {
  return {
    ETag: entityTag(call, reply, has),
    'Cache-Control': has('max-age-quoted') ? 'private, max-age="0"' : 'private, max-age=0',
    Expires: has('expires-form') ? '2020-01-01T00:00:00Z' : 'Wed, 01 Jan 2020 00:00:00 GMT',
    Date: new Date().toUTCString(),
  }
}

function isNotModified(call: Call, reply: Reply, has: Has): boolean {
  const field = call.headers['if-none-match']
  const since = call.headers['if-modified-since']
  if (isInUrl(call) && reply.status >= 400) return has('304-error') && field === '*'
  if (!isInUrl(call)) {
    return (
      (has('none-match-post') && call.method === 'POST' && field !== undefined) ||
      (has('none-match-query') && call.method === 'QUERY' && field !== undefined) ||
      (has('modified-since-post') && since !== undefined)
    )
  }
  if (reply.status !== 200) return false
  if (has('modified-since-first') && since === late) return true
  if (field === undefined) {
    return (
      (has('modified-since') && since === late) ||
      (has('modified-since-word') && since === 'tomorrow')
    )
  }
  if (field === '*') return !has('star-ignored')
  const isOld = since !== undefined && Date.parse(since) < Date.now()
  if (isOld && has('modified-since-too')) return false
  return has('none-match-always') || listsTag(call, entityTag(call, reply, has), has)
}

function notModified(call: Call, reply: Reply, has: Has): Reply {
  const known = validators(call, has('304-new-etag') ? { ...reply, body: '' } : reply, has)
  const { 'Content-Type': _, ...rest } = { ...reply.headers, ...known }
  const dropped = Object.entries(rest).filter(
    ([name]) =>
      !(['etag', 'vary', 'cache-control', 'expires', 'date'] as const).some(
        (field) => name.toLowerCase() === field && has(`304-${field}`),
      ),
  )
  return { status: 304, headers: Object.fromEntries(dropped), body: reply.body }
}

function withoutSome(headers: Record<string, string>, has: Has): Record<string, string> {
  const fields = ['etag', 'vary', 'content-type', 'cache-control'] as const
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !fields.some((field) => name.toLowerCase() === field && has(`head-${field}`)),
    ),
  )
}
