/** The codes of errors. To add one, add its word here. */
export type PubSubErrorCode =
  /** A subscriber would have missed events: it was too slow, or the connection to the service was lost. */
  | 'EVENTS_LOST'
  /** Events may be missing, and `onGap` is 'reconnect': the engine ends the stream so that its client connects again. */
  | 'INTERRUPTED'
  /** The service cannot be reached, so the event was not published, or perhaps not. */
  | 'TRANSPORT_AWAY'
  /** The service refused to listen to the topic, such as for lack of rights. */
  | 'SUBSCRIPTION_REFUSED'
  /** The event exceeds what the service accepts. */
  | 'EVENT_TOO_LARGE'
  | 'CLOSED'

/** An expected failure of publishing or of a subscription. */
export class PubSubError extends Error {
  override readonly name = 'PubSubError'
  readonly code: PubSubErrorCode

  constructor(code: PubSubErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
