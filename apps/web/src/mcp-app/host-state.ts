import {
  type App,
  applyHostFonts,
  applyHostStyleVariables,
  type McpUiHostCapabilities,
  type McpUiHostContext,
  type McpUiToolResultNotification,
} from '@modelcontextprotocol/ext-apps'
import { setTheme } from '../shell/theme.ts'

export type ToolResult = McpUiToolResultNotification['params']

/** What the host has told so far. */
export interface HostState {
  isConnected: boolean
  context: McpUiHostContext
  capabilities: McpUiHostCapabilities
  /** What the tool was asked. */
  input: Readonly<Record<string, unknown>>
  /** What it answered, once it has. */
  result: ToolResult | undefined
  isCancelled: boolean
}

/** What the host tells, for `useSyncExternalStore`. To be made before the app connects, so that nothing is missed. */
export interface HostStore {
  get: () => HostState
  subscribe: (listener: () => void) => () => void
  connect: () => Promise<void>
}

export function followHost(app: App): HostStore {
  const listeners = new Set<() => void>()
  let state: HostState = {
    isConnected: false,
    context: {},
    capabilities: {},
    input: {},
    result: undefined,
    isCancelled: false,
  }
  const change = (news: Partial<HostState>) => {
    state = { ...state, ...news }
    if (news.context !== undefined) dressAs(news.context)
    for (const listener of listeners) listener()
  }
  app.addEventListener('toolinput', ({ arguments: input = {} }) => change({ input }))
  app.addEventListener('toolresult', (result) => change({ result }))
  app.addEventListener('toolcancelled', () => change({ isCancelled: true }))
  app.addEventListener('hostcontextchanged', () => change({ context: app.getHostContext() ?? {} }))
  app.onteardown = async () => ({})
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async connect() {
      await app.connect()
      change({
        isConnected: true,
        context: app.getHostContext() ?? {},
        capabilities: app.getHostCapabilities() ?? {},
      })
    },
  }
}

/** Looks like the host: its theme, fonts and colours, clear of what covers its edges, as high as it says. */
function dressAs({ theme, styles, safeAreaInsets, displayMode = 'inline' }: McpUiHostContext): void {
  const { documentElement: root, body } = document
  setTheme(theme ?? 'system')
  root.dataset['displayMode'] = displayMode
  if (styles?.variables !== undefined) applyHostStyleVariables(styles.variables)
  if (styles?.css?.fonts !== undefined) applyHostFonts(styles.css.fonts)
  if (safeAreaInsets !== undefined) {
    const { top, right, bottom, left } = safeAreaInsets
    body.style.padding = `${top}px ${right}px ${bottom}px ${left}px`
  }
}
