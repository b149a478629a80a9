/** Ends a run wherever it is: no failure of a field, so no position becomes null because of it. */
export class EndOfRun extends Error {
  /** What the response is longer than; undefined if too many fields failed. */
  readonly maxLength: number | undefined

  constructor(maxLength: number | undefined) {
    super()
    this.maxLength = maxLength
  }
}
