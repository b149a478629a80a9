/** What an operator has set cannot be meant; the message says what and why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}
