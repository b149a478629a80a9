export { instrument } from './instrument.js'
export type { InstrumentOptions } from './instrument.js'
