import { setTimeout as sleep } from 'node:timers/promises'

/** When a run ends, or a part of it. */
export interface End {
  /** Later responses are not judged, since judging can take seconds and cannot be interrupted. */
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

/** Whether the run was aborted, or its time is up: later steps are not sent, and responses are not judged. */
export function isOver({ signal, deadline }: End): boolean {
  return signal?.aborted === true || Date.now() >= deadline
}

/** How long to wait for a change, and for restoring what it has changed, if the run is over. */
const graceMs = 5_000

/** The end of what must be done even if the run is over. */
export function endOfGrace({ signal, deadline }: End): End {
  const least = Date.now() + graceMs
  return { deadline: signal?.aborted ? least : Math.max(deadline, least), signal: undefined }
}

/** The result of the work, or undefined if the end comes first. */
export async function before<Value>(work: Promise<Value>, end: End): Promise<Value | undefined> {
  const done = new AbortController()
  const signals = [done.signal, ...(end.signal === undefined ? [] : [end.signal])]
  const limit = Math.max(0, end.deadline - Date.now())
  const late = sleep(limit, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined)
  try {
    const result = await Promise.race([work, late])
    // A timer is late where judging takes long.
    return Date.now() < end.deadline ? result : undefined
  } finally {
    done.abort()
  }
}
