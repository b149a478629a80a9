import t from 'tap'
import { createMetricsHandler } from '../../../../src/cli/serve/start/assemble.js'
import { testClient } from '../../../../src/hosts/testing.js'
import { defer } from '../../../base/defer.js'

void t.test('requests of metrics share what is collected', async (t) => {
  const collections: ReturnType<typeof defer<object>>[] = []
  const send = testClient(
    createMetricsHandler(async () => {
      const collection = defer<object>()
      collections.push(collection)
      await collection.promise
      return { graphwire_processes: { '': collections.length } }
    }),
  )
  const together = [send(), send(), send({ method: 'HEAD' })]
  t.equal(collections.length, 1)
  collections[0]?.resolve({})
  for (const response of await Promise.all(together)) t.equal(response.status, 200)
  const later = send()
  t.equal(collections.length, 2)
  collections[1]?.resolve({})
  t.match((await later).body, /^graphwire_processes 2$/m)
})
