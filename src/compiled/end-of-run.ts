/** Ends a run wherever it is. Not a failure of a field, so no position becomes null. */
export class EndOfRun extends Error {
  /** The length that the response exceeds; undefined if too many fields failed. */
  readonly maxLength: number | undefined

  constructor(maxLength: number | undefined) {
    super()
    this.maxLength = maxLength
  }
}
