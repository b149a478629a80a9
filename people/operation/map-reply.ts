import { wantsBody, type HttpResponse, type Reply, type WantsBody } from 'graphwire'

/** A reply whose answer, whenever it comes, is changed by `map`; `fail` makes one of what is thrown. */
export function mapReply(
  make: () => Reply,
  map: (response: HttpResponse) => HttpResponse,
  fail: (bug: unknown) => HttpResponse,
): Reply {
  const mapNow = (now: HttpResponse | WantsBody): HttpResponse | WantsBody => {
    if (!wantsBody(now)) return map(now)
    return {
      maxBytes: now.maxBytes,
      proceed: (body) =>
        guard(
          () => now.proceed(body),
          (late) => map(late),
        ),
    }
  }
  const guard = <Early extends HttpResponse | WantsBody, Late>(
    work: () => Early | Promise<Early>,
    go: (now: Early) => Late,
  ): Late | HttpResponse | Promise<Late | HttpResponse> => {
    try {
      const done = work()
      return done instanceof Promise ? done.then(go).catch(fail) : go(done)
    } catch (bug) {
      return fail(bug)
    }
  }
  return guard(make, mapNow)
}
