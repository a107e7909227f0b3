export type FindingStatus = 'ok' | 'warning' | 'failed' | 'skipped'

/** What one check saw, in words for a person. */
export interface Finding {
  /** The check, such as `challenge`: stable, for programs. */
  check: string
  /** What should hold. */
  title: string
  status: FindingStatus
  /** What was seen. */
  detail: string
  /** What to change; empty when nothing. */
  advice: string
  /** Clients that will stumble over it. */
  clients: string[]
}

/** Clients by what they do, from what they were seen to send and what their makers say. */
export const clientsThat = {
  probeWithGet: ['Codex', 'mcp-remote'],
  probeWithHead: ['Gemini CLI'],
  compareResource: ['VS Code', 'Claude', 'ChatGPT'],
  registerThemselves: [
    'VS Code',
    'Cursor',
    'Gemini CLI',
    'opencode',
    'mcp-remote',
    'mcporter',
    'MCP Inspector',
  ],
  /** They register themselves only where these are not taken. */
  useMetadataDocuments: ['Claude', 'Claude Code', 'ChatGPT', 'Codex'],
  comeBackToAnyPort: ['Claude Code', 'Codex', 'VS Code'],
  /** All that the authorization server lists. */
  askForAllScopes: ['Gemini CLI'],
  /** All that the protected resource lists, unless the 401 names some. */
  askForScopesOfResource: ['Claude Code', 'Codex', 'opencode', 'mcp-remote', 'mcporter', 'MCP Inspector'],
  leaveOutResource: ['Cursor'],
  speakTheNewProtocol: ['Claude Code'],
  speakTheOldProtocol: [
    'Codex',
    'Gemini CLI',
    'opencode',
    'mcp-remote',
    'mcporter',
    'MCP Inspector',
    'VS Code',
    'Cursor',
  ],
  /** Claude and ChatGPT do not: their requests come from their own servers. */
  runInAPage: ['MCP Inspector'],
  /** They compare issuers letter by letter. */
  useTheSdk: ['clients on the official SDK'],
  limitTools: ['Cursor (40)', 'Windsurf (100)', 'VS Code (128)', 'ChatGPT (128)'],
  everyone: ['every client'],
} as const

export function ok(check: string, title: string, detail: string): Finding {
  return { check, title, status: 'ok', detail, advice: '', clients: [] }
}

export function skipped(check: string, title: string, detail: string): Finding {
  return { check, title, status: 'skipped', detail, advice: '', clients: [] }
}

interface Complaint {
  detail: string
  advice: string
  clients: readonly string[]
}

export function warning(check: string, title: string, complaint: Complaint): Finding {
  return { check, title, status: 'warning', ...complaint, clients: [...complaint.clients] }
}

export function failed(check: string, title: string, complaint: Complaint): Finding {
  return { check, title, status: 'failed', ...complaint, clients: [...complaint.clients] }
}
