/** An event with an id from which a client can resume. Made by `resumable`. */
export class ResumableEvent {
  readonly event: unknown
  readonly id: string

  constructor(event: unknown, id: string) {
    this.event = event
    this.id = id
  }
}

/**
 * Gives an event of a subscription an id. Clients that reconnect over SSE send the last id they saw, and the
 * `subscribe` resolver finds it in `request.lastEventId`. If the event is `undefined`, only the id is sent: a source that
 * begins with one has clients that can resume although they have not seen an event yet.
 */
export function resumable(event: unknown, id: string): ResumableEvent {
  if (typeof id !== 'string' || !printable.test(id)) {
    throw new TypeError(
      `resumable: expected an id of 1 to 256 printable ASCII characters, got ${JSON.stringify(id)}.`,
    )
  }
  return new ResumableEvent(event, id)
}

/** What clients can send back in a header. */
const printable = /^[\x21-\x7e]{1,256}$/

/** Whether a client sent an id that `resumable` could have made. */
export function isEventId(id: string): boolean {
  return printable.test(id)
}
