import t from 'tap'
import { createAnnouncer } from '../../feed/announce.js'
import { FakeChanges } from './fake-changes.js'

for (const database of [':memory:', 'people.db', 'postgres-people.db']) {
  t.test(`the changes of ${database} are not announced`, async (t) => {
    const changes = new FakeChanges()
    const listen = t.capture(changes, 'listen')
    const places = { database, redis: undefined, natsUrl: undefined }
    const announcer = createAnnouncer(
      places,
      changes,
      () => {},
      () => t.fail(),
    )
    t.strictSame(listen(), [])
    await announcer.close()
  })
}
