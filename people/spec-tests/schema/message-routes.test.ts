import { onEachStore } from './on-each-store.js'
import { withAda } from './with-ada.js'

onEachStore('/message', (test) => {
  test('POST sends, and GET answers the same', async (t, open) => {
    const { send, id } = await withAda(open)
    const { status, headers, body } = await send('POST /message', { to: id, text: 'Hello' })
    t.equal(status, 201)
    t.equal(headers.get('location'), `/message/${body.id}`)
    t.match(body.sentAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    t.strictSame(body, { id: body.id, to: { id, name: 'Ada' }, text: 'Hello', sentAt: body.sentAt })
    const read = await send(`GET /message/${body.id}`)
    t.strictSame([read.status, read.body], [200, body])
  })

  test('a person who is not there, and a text that fails its checks', async (t, open) => {
    const { send, id } = await withAda(open)
    for (const [status, pointer, body] of /* oxfmt-ignore */ [
      [404, '#/to',   { to: '999999', text: 'Hello' }],
      [422, '#/text', { to: id, text: '' }],
      [422, '#/text', { to: id }],
      [422, '#/text', `{"to":"${id}","text":"\\ud800"}`],
      [422, '#/text', `{"to":"${id}","text":"\\u0000"}`],
    ] as const) {
      const answer = await send('POST /message', body)
      t.strictSame([answer.status, answer.body.errors[0].pointer], [status, pointer])
    }
  })

  test('GET is 404 if there is no message, or its receiver was deleted', async (t, open) => {
    const { send, id } = await withAda(open)
    const none = await send('GET /message/999999')
    t.strictSame([none.status, none.body.detail], [404, 'No message has this id.'])
    const { body } = await send('POST /message', { to: id, text: 'Hello' })
    await send(`DELETE /person/${id}`)
    t.equal((await send(`GET /message/${body.id}`)).status, 404)
  })
})
