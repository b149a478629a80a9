import { toFetch } from 'graphwire/fetch'
import { handler } from '../api.mjs'

export default { fetch: toFetch(handler) }
