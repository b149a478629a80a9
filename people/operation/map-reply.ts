import { wantsBody, type HttpResponse, type Reply, type WantsBody } from 'graphwire'

/** A reply whose answer, whenever it comes, is changed by `map`. */
export function mapReply(reply: Reply, map: (response: HttpResponse) => HttpResponse): Reply {
  const mapNow = (now: HttpResponse | WantsBody): HttpResponse | WantsBody => {
    if (!wantsBody(now)) return map(now)
    return {
      maxBytes: now.maxBytes,
      proceed: (body) => {
        const answer = now.proceed(body)
        return answer instanceof Promise ? answer.then(map) : map(answer)
      },
    }
  }
  return reply instanceof Promise ? reply.then(mapNow) : mapNow(reply)
}
