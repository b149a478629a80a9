import { toFetch } from 'graphwire/fetch'
import { handler } from '../../../api.mjs'

const fetch = toFetch(handler)

// Under every name that Next knows, so that each method gets a response of GraphQL over HTTP.
export {
  fetch as DELETE,
  fetch as GET,
  fetch as HEAD,
  fetch as OPTIONS,
  fetch as PATCH,
  fetch as POST,
  fetch as PUT,
}
