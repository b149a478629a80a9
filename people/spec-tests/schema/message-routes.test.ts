import { onEachStore } from './on-each-store.js'
import { withAda } from './with-ada.js'

onEachStore('/message', (test) => {
  test('POST sends, and GET answers the same', async (t, open) => {
    const { send, id } = await withAda(t, open)
    const { status, headers, body } = await send('POST /message', { to: id, text: 'Hello' })
    t.equal(status, 201)
    t.equal(headers.get('location'), `/message/${body.id}`)
    t.match(body.sentAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    t.strictSame(body, { id: body.id, to: { id, name: 'Ada' }, text: 'Hello', sentAt: body.sentAt })
    const read = await send(`GET /message/${body.id}`)
    t.strictSame([read.status, read.body], [200, body])
    const tag = read.headers.get('etag') ?? ''
    t.match(tag, /^"[^"]+"$/)
    const again = await send(`GET /message/${body.id}`, undefined, { 'If-None-Match': tag })
    t.equal(again.status, 304)
  })

  test('POST to an unknown person is 404, and a text that fails its checks is 422', async (t, open) => {
    const { send, id } = await withAda(t, open)
    const nobody = await send('POST /message', { to: '999999', text: 'Hello' })
    t.strictSame([nobody.status, nobody.body.code], [404, 'NOT_FOUND'])
    t.equal(nobody.body.errors[0].pointer, '#/to')
    const empty = await send('POST /message', { to: id, text: '' })
    t.strictSame([empty.status, empty.body.errors[0].pointer], [422, '#/text'])
    for (const text of ['\\ud800', '\\u0000']) {
      const broken = await send('POST /message', `{"to":"${id}","text":"${text}"}`)
      t.strictSame([broken.status, broken.body.errors[0].pointer], [422, '#/text'])
    }
    t.equal((await send('POST /message', { to: id })).status, 422)
  })

  test('GET is 404 if there is no message, or its receiver was deleted', async (t, open) => {
    const { send, id } = await withAda(t, open)
    const none = await send('GET /message/999999')
    t.strictSame([none.status, none.body.detail], [404, 'No message has this id.'])
    const { body } = await send('POST /message', { to: id, text: 'Hello' })
    await send(`DELETE /person/${id}`)
    t.equal((await send(`GET /message/${body.id}`)).status, 404)
  })
})
