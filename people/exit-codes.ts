/** The exit codes of the service, which are those of the binary `graphwire`. */
export const exitCodes = {
  ok: { code: 0, meaning: 'done, or stopped by a signal after answering every request' },
  refused: { code: 1, meaning: 'a command could not do its work, such as for an unknown name' },
  usage: { code: 2, meaning: 'invalid arguments or environment' },
  configuration: { code: 3, meaning: 'invalid settings, or the database cannot be used' },
  portInUse: { code: 4, meaning: 'the port is in use' },
  cut: { code: 5, meaning: 'stopped by a signal, and something had to be aborted' },
  bug: { code: 70, meaning: 'a bug in the service' },
  interrupted: {
    code: 130,
    meaning: 'interrupted before it was done, such as during the start or by a second signal',
  },
} as const
