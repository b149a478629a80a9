import type { ServerResponse } from 'node:http'
import type { Encoding } from './encodings.js'
import { errorsOf, type Result } from './operations.js'

/** What can be wrong with the stream of a subscription, whatever its encoding. */
export interface PumpDefects {
  readonly isBuffered: boolean
  readonly isReversed: boolean
  readonly losesLast: boolean
  readonly addsResult: boolean
  readonly isStale: boolean
  readonly endsAtFieldError: boolean
  readonly dropsErrors: boolean
  readonly hangsAtSourceError: boolean
  readonly hidesSourceError: boolean
  readonly losesEventAtSourceError: boolean
  readonly keepsSource: boolean
  readonly keepsWaitingSource: boolean
  readonly staysOpen: boolean
  /** Other streams that get the same events. */
  readonly others: ReadonlySet<ServerResponse>
}

/** A source with what makes a result of each event. */
export interface Subscribed {
  readonly source: AsyncIterator<object>
  readonly run: (event: object) => Promise<Result>
}

/** How often something is sent while a source is silent. */
const beatMs = 400

/** Sends the events of a source until it ends, or the client is gone. */
export async function pump(
  { source, run }: Subscribed,
  response: ServerResponse,
  { write, beat, end }: Encoding,
  defects: PumpDefects,
): Promise<void> {
  const { isBuffered, isReversed, losesLast, losesEventAtSourceError } = defects
  const isHeld = isBuffered || isReversed || losesLast || losesEventAtSourceError
  const held: string[] = []
  let isGone = false
  response.once('close', () => {
    isGone = true
    if (!defects.keepsSource && !defects.keepsWaitingSource) void source.return?.()
  })
  const send = (bytes: string): void => {
    if (isHeld) held.push(bytes)
    else for (const one of new Set([response, ...defects.others])) one.write(bytes)
  }
  const timer = setInterval(() => {
    if (held.length === 0 && beat() !== '') response.write(beat())
  }, beatMs)
  try {
    for (let count = 0; !isGone; count++) {
      const next = await source.next()
      if (next.done === true || isGone) break
      if (defects.isStale && count > 0) continue
      const result = await run(next.value)
      const { errors, ...rest } = result
      send(write(defects.dropsErrors ? rest : result))
      if (defects.endsAtFieldError && errors !== undefined) break
    }
  } catch (error) {
    if (defects.hangsAtSourceError) return
    if (defects.losesEventAtSourceError) held.length = 0
    if (!defects.hidesSourceError) send(write(errorsOf(error)))
  } finally {
    clearInterval(timer)
  }
  if (!defects.keepsSource) void source.return?.()
  if (defects.addsResult) send(write({ data: null }))
  if (defects.isReversed) held.reverse()
  response.write(held.slice(0, losesLast && held.length > 1 ? -1 : held.length).join(''))
  response.write(end())
  if (!defects.staysOpen) response.end()
}
