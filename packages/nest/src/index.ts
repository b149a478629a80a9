export { GraphwireDriver } from './driver.js'
export type { GraphwireDriverConfig, NestRequest } from './driver-config.js'
