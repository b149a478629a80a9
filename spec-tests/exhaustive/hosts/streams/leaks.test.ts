import t from 'tap'
import { createStreamedEndpoint } from '../../../hosts/streams/streamed-endpoint.js'
import type { StreamBody } from '../../../../src/index.js'

void t.test('ten thousand sources are returned in the tick of their leaving', async (t) => {
  const endpoint = createStreamedEndpoint()
  const target = '/graphql?query=subscription{pushed}'
  const flows = []
  for (let at = 0; at < 10_000; at += 1) {
    const head = { method: 'GET', target, headers: [], raw: undefined }
    const response = (await endpoint.handler(head)) as { readonly body: StreamBody }
    flows.push(response.body.open({ write: () => true, end() {}, cut() {} }))
  }
  t.equal(endpoint.open(), 10_000)
  t.equal(endpoint.stats().open, 10_000)
  for (const flow of flows) flow.gone()
  t.equal(endpoint.open(), 0)
  t.equal(endpoint.stats().open, 0)
})
