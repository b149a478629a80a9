import { useState, type ReactElement } from 'react'
import type { Report, TimedEvent } from './reports.js'
import { parseResult } from './results.js'

/** Each event of a response, with its time. The list can be held and cleared while a stream goes on. */
export function Timeline({ report: { events } }: { readonly report: Report }): ReactElement {
  const [held, setHeld] = useState<readonly TimedEvent[]>()
  const [cleared, setCleared] = useState(0)
  const newest = newestOf(events)
  const shown = (held ?? events).filter(({ number }) => number > cleared)
  return (
    <>
      <p className="buttons">
        <button type="button" onClick={() => setHeld(held === undefined ? events : undefined)}>
          {held === undefined ? 'Pause' : 'Resume'}
        </button>
        <button type="button" onClick={() => setCleared(newest)}>
          Clear
        </button>
        {held !== undefined && <span>Paused: {newest - newestOf(held)} newer</span>}
      </p>
      <div className="events">
        <ol>
          {shown.map((event) => (
            <Row key={event.number} event={event} />
          ))}
        </ol>
      </div>
    </>
  )
}

function newestOf(events: readonly TimedEvent[]): number {
  return events.at(-1)?.number ?? 0
}

function Row({ event: { at, name, text } }: { readonly event: TimedEvent }): ReactElement {
  const line = (
    <>
      <time>+{Math.round(at)} ms</time> <strong>{name}</strong> <code>{text}</code>
    </>
  )
  const json = parseResult(text)
  return (
    <li>
      {json !== undefined ? (
        <details>
          <summary>{line}</summary>
          <pre>{JSON.stringify(json, undefined, 2)}</pre>
        </details>
      ) : (
        <p>{line}</p>
      )}
    </li>
  )
}
