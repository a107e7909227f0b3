import { App } from '@modelcontextprotocol/ext-apps'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import manifest from '../../package.json' with { type: 'json' }
import { FlameView } from './flame-view.tsx'
import { followHost } from './host-state.ts'

const app = new App(
  { name: 'flamegate-flame-graph', title: 'Flame graph', version: manifest.version },
  { availableDisplayModes: ['inline', 'fullscreen'] },
)
const host = followHost(app)

const element = document.getElementById('root')
if (element === null) throw new TypeError('flame-graph.html has no #root')
createRoot(element).render(
  <StrictMode>
    <I18nProvider locale="en-GB">
      <QueryClientProvider client={new QueryClient()}>
        <FlameView app={app} host={host} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)
await host.connect()
