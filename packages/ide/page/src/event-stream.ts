/** An event of Server-Sent Events. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/**
 * Reads the events of a body (HTML, section 9.2.6): lines that end in LF, CRLF or CR, comments, and fields.
 * `onBytes` is told the size of each chunk.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let name = ''
  let data: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (value !== undefined) onBytes(value.byteLength)
    text += decoder.decode(value, { stream: !done })
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(text)
      if (end === null) break
      const line = text.slice(0, end.index)
      text = text.slice(end.index + end[0].length)
      if (line === '') {
        if (name !== '' || data.length > 0) yield { name, data: data.join('\n') }
        name = ''
        data = []
        continue
      }
      const [, field, content = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'event') name = content
      else if (field === 'data') data.push(content)
    }
    if (done) return
  }
}
