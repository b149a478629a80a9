import './workers.js'
import '@graphiql/react/style.css'
import '@graphiql/plugin-doc-explorer/style.css'
import '@graphiql/plugin-history/style.css'
import 'graphiql/graphiql.css'
import './page.css'
import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from '@graphiql/plugin-doc-explorer'
import { HISTORY_PLUGIN, HistoryStore } from '@graphiql/plugin-history'
import { GraphiQLProvider, useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { GraphiQL, GraphiQLInterface } from 'graphiql'
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Bar } from './bar.js'
import { createFetcher } from './fetcher.js'
import { Reports } from './reports.js'
import { ResponsePanel } from './response-panel.js'
import { mendRoles } from './roles.js'
import { readSettings, type Transports } from './settings.js'

const settings = readSettings()
const reports = new Reports()
const plugins = [DOC_EXPLORER_PLUGIN, HISTORY_PLUGIN]

function Ide(): ReactElement {
  const [transports, setTransports] = useState(settings.transports)
  const [files, setFiles] = useState<readonly File[]>([])
  const choices = useRef({ transports, files })
  choices.current = { transports, files }
  const fetcher = useMemo(() => {
    const { edition } = settings
    return createFetcher({ url: location.pathname, edition, reports }, () => choices.current)
  }, [])
  return (
    <GraphiQLProvider
      fetcher={fetcher}
      {...settings.texts}
      plugins={plugins}
      referencePlugin={DOC_EXPLORER_PLUGIN}
      shouldPersistHeaders={settings.storesHeaders}
    >
      <HistoryStore>
        <DocExplorerStore>
          <Bar settings={settings} files={files} onFiles={setFiles} />
          <GraphiQLInterface showPersistHeadersSettings={settings.storesHeaders}>
            <GraphiQL.Logo>
              <Switches transports={transports} onChange={setTransports} />
            </GraphiQL.Logo>
            <GraphiQL.Footer>
              <ResponsePanel reports={reports} />
              <SystemTheme />
            </GraphiQL.Footer>
          </GraphiQLInterface>
        </DocExplorerStore>
      </HistoryStore>
    </GraphiQLProvider>
  )
}

/** GraphiQL looks once at the scheme of the system, and only its style sheet follows a change: set again, its editors do. */
function SystemTheme(): null {
  const theme = useGraphiQL((state) => state.theme)
  const { setTheme } = useGraphiQLActions()
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const follow = (): void => setTheme(theme)
    dark.addEventListener('change', follow)
    return () => dark.removeEventListener('change', follow)
  }, [theme, setTheme])
  return null
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
