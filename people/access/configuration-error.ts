/** A setting of the operator is invalid; the message says which and why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}
