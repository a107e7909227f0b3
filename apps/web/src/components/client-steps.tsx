import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  claudeCodeCommand,
  codexCommand,
  compactUrl,
  cursorConfig,
  cursorLink,
  geminiCommand,
  tokenConfig,
  vsCodeConfig,
  vsCodeLink,
} from '../connect-links.ts'
import { buttonClass } from './button.tsx'
import { CopyField } from './copy-field.tsx'

/** How to connect one client. */
export interface ClientSteps {
  id: string
  name: string
  steps: (url: string, workspaceId: string | undefined) => ReactNode
}

export const clientSteps: readonly ClientSteps[] = [
  {
    id: 'claude-ai',
    name: 'Claude.ai',
    steps: (url) => (
      <Steps note="Claude.ai calls from the internet, so this address must be reachable there over https.">
        <li>In Claude, open Settings → Connectors → Add custom connector.</li>
        <li>
          Give it the name <code>Flamegate</code> and this URL:{' '}
          <CopyField label="MCP URL" hideLabel value={url} />
        </li>
        <li>Press Connect, log in here, and allow the access.</li>
      </Steps>
    ),
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    steps: (url) => (
      <Steps>
        <li>
          Add the server:{' '}
          <CopyField label="Command for Claude Code" hideLabel value={claudeCodeCommand(url)} />
        </li>
        <li>
          Start <code>claude</code>, type <code>/mcp</code>, choose flamegate and log in.
        </li>
      </Steps>
    ),
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    steps: (url) => (
      <Steps note="ChatGPT calls from the internet, so this address must be reachable there over https.">
        <li>
          In ChatGPT, open Settings → Apps &amp; Connectors → Advanced settings, and turn developer mode on.
        </li>
        <li>
          Press Create and paste this URL, with OAuth as authentication:{' '}
          <CopyField label="MCP URL" hideLabel value={url} />
        </li>
        <li>Log in here, and allow the access.</li>
      </Steps>
    ),
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    steps: (url) => (
      <Steps>
        <li>
          <a href={vsCodeLink(url)} className={buttonClass('primary', 'my-1')}>
            Install in VS Code
          </a>
        </li>
        <li>
          Or put this into <code>.vscode/mcp.json</code>:
          <CopyField label="mcp.json for VS Code" hideLabel value={vsCodeConfig(url)} />
        </li>
        <li>
          Press Start above the entry, log in here, and allow the access. The tools are in Copilot’s agent
          mode.
        </li>
      </Steps>
    ),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    steps: (url) => (
      <Steps note="Cursor takes no more than 40 tools. This address lists a handful, from which every other one is found and called; without /compact it lists the whole default set, for versions that take more.">
        <li>
          <a href={cursorLink(compactUrl(url))} className={buttonClass('primary', 'my-1')}>
            Install in Cursor
          </a>
        </li>
        <li>
          Or put this into <code>.cursor/mcp.json</code>:
          <CopyField label="mcp.json for Cursor" hideLabel value={cursorConfig(compactUrl(url))} />
        </li>
        <li>In Cursor’s settings under MCP, press Log in next to flamegate.</li>
      </Steps>
    ),
  },
  {
    id: 'codex',
    name: 'Codex',
    steps: (url) => (
      <Steps>
        <li>
          Add the server; your browser opens to log in:
          <CopyField label="Command for Codex" hideLabel value={codexCommand(url)} />
        </li>
        <li>
          Later, <code>codex mcp login flamegate</code> logs in again.
        </li>
      </Steps>
    ),
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    steps: (url) => (
      <Steps>
        <li>
          Add the server: <CopyField label="Command for Gemini CLI" hideLabel value={geminiCommand(url)} />
        </li>
        <li>
          Start <code>gemini</code> and type <code>/mcp auth flamegate</code>.
        </li>
      </Steps>
    ),
  },
  {
    id: 'other',
    name: 'Any other',
    steps: (url, workspaceId) => (
      <Steps>
        <li>
          Any client that speaks MCP over Streamable HTTP takes the URL and finds the log-in by itself:
          <CopyField label="MCP URL" hideLabel value={url} />
        </li>
        <li>
          One that cannot open a browser takes an API token
          {workspaceId === undefined ? null : (
            <>
              {' '}
              (
              <Link to="/workspaces/$workspaceId/api-tokens" params={{ workspaceId }} className="text-link">
                make one
              </Link>
              )
            </>
          )}{' '}
          as a header:
          <CopyField label="Configuration with an API token" hideLabel value={tokenConfig(url)} />
        </li>
      </Steps>
    ),
  },
]

function Steps({ note, children }: { note?: string; children: ReactNode }) {
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <ol className="flex list-decimal flex-col gap-3 pl-5 marker:text-muted">{children}</ol>
      {note === undefined ? null : <p className="text-sm text-muted">{note}</p>}
    </div>
  )
}
