/** An event as a browser would dispatch it. */
interface ServerSentEvent {
  readonly type: string
  readonly data: string
}

/** What a browser knows after bytes of an event stream: the events so far, and the id that it would resume from. */
export interface EventsRead {
  readonly events: readonly ServerSentEvent[]
  readonly lastEventId: string
}

/** Reads an event stream by section 9.2.6 of HTML, line by line; what follows the last blank line is dropped. */
export function readEvents(bytes: Buffer, resumedFrom: string): EventsRead {
  const events: ServerSentEvent[] = []
  let lastEventId = resumedFrom
  let [type, data, id] = ['', '', resumedFrom]
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/)
  // What has no line end yet is not a line.
  for (const line of lines.slice(0, -1)) {
    const [, name = '', value = ''] = /^([^:]*)(?::\x20?(.*))?$/s.exec(line) ?? []
    if (line === '') {
      lastEventId = id
      if (data !== '') events.push({ type: type || 'message', data: data.slice(0, -1) })
      ;[type, data] = ['', '']
    } else if (name === 'event') type = value
    else if (name === 'data') data += `${value}\n`
    else if (name === 'id' && !value.includes('\0')) id = value
  }
  return { events, lastEventId }
}
