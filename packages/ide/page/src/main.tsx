import './workers.js'
import '@graphiql/react/style.css'
import '@graphiql/plugin-doc-explorer/style.css'
import '@graphiql/plugin-history/style.css'
import 'graphiql/graphiql.css'
import './page.css'
import { GraphiQL } from 'graphiql'
import { useMemo, useRef, useState, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createFetcher } from './fetcher.js'
import { Reports } from './reports.js'
import { readSettings, type Transports } from './settings.js'
import { StatusLine } from './status-line.js'
import { mendRoles } from './roles.js'

const settings = readSettings()
const reports = new Reports()

function Ide(): ReactElement {
  const [transports, setTransports] = useState(settings.transports)
  const latest = useRef(transports)
  latest.current = transports
  const fetcher = useMemo(() => createFetcher(settings, reports, () => latest.current), [])
  return (
    <>
      <h1>{document.title}</h1>
      <GraphiQL
        fetcher={fetcher}
        {...settings.texts}
        shouldPersistHeaders={settings.storesHeaders}
        showPersistHeadersSettings={settings.storesHeaders}
      >
        <GraphiQL.Logo>
          <Switches transports={transports} onChange={setTransports} />
        </GraphiQL.Logo>
        <GraphiQL.Footer>
          <StatusLine reports={reports} />
        </GraphiQL.Footer>
      </GraphiQL>
    </>
  )
}

interface SwitchesProps {
  readonly transports: Transports
  readonly onChange: (transports: Transports) => void
}

function Switches({ transports, onChange }: SwitchesProps): ReactElement {
  return (
    <div className="switches">
      <label>
        <span>Queries</span>
        <select
          name="queries"
          value={transports.queries}
          onChange={({ target }) =>
            onChange({ ...transports, queries: target.value as Transports['queries'] })
          }
        >
          <option>POST</option>
          <option>QUERY</option>
        </select>
      </label>
      <label>
        <span>Subscriptions</span>
        <select
          name="subscriptions"
          value={transports.subscriptions}
          onChange={({ target }) =>
            onChange({ ...transports, subscriptions: target.value as Transports['subscriptions'] })
          }
        >
          <option value="sse">SSE</option>
          <option value="websocket">WebSocket</option>
        </select>
      </label>
    </div>
  )
}

const root = document.querySelector('#ide') as HTMLElement
mendRoles(root)
createRoot(root).render(<Ide />)
