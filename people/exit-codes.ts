/** Every way in which the process ends by itself, with the codes of the binary `graphwire`. */
export const exitCodes = {
  ok: { code: 0, meaning: 'done, or stopped by a signal with every request answered' },
  refused: { code: 1, meaning: 'a command found nothing to work on, such as an unknown name' },
  usage: { code: 2, meaning: 'wrong words on the command line or in the environment' },
  configuration: { code: 3, meaning: 'the settings or the database cannot be used' },
  portInUse: { code: 4, meaning: 'the port is in use' },
  cut: { code: 5, meaning: 'stopped by a signal, but requests had to be cut' },
  bug: { code: 70, meaning: 'a bug of the service' },
  interrupted: { code: 130, meaning: 'interrupted before it was done, such as by a second signal' },
} as const
