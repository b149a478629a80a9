import { success } from 'graphwire'
import t from 'tap'
import { onEachDatabase } from './databases.js'

await onEachDatabase(t, 'a message is seen while its person is there', async (t, open) => {
  const sentAt = '2026-08-01T12:00:00.000Z'
  const { people, messages } = await open({ now: () => new Date(sentAt) })
  await people.create({ name: 'A' })
  const message = { id: '1', to: '1', text: 'hello', sentAt }
  t.same(await messages.send('1', 'hello'), success(message))
  t.match(await messages.send('1', 'again'), success({ id: '2' }))
  t.same(await messages.byId('1'), message)
  t.equal(await messages.byId('3'), undefined)
  await people.remove('1')
  t.equal(await messages.byId('1'), undefined)
  t.same(await messages.send('1', 'late'), { ok: false, reason: 'absent' })
  const { id: to } = await people.create({ name: 'B' })
  const next = await messages.send(to, 'new')
  t.ok(next.ok && Number(next.value.id) >= 3, 'ids of messages are not used again')
})
