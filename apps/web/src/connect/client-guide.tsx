import { type Block, loginPage, type McpClient, sectionsOf, type Site } from '@flamegate/connect'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Caution } from '../components/caution.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { ChevronRight } from '../components/icons.tsx'
import { MarkdownView } from '../markdown/markdown-view.tsx'
import { Blocks } from './blocks.tsx'

interface Props {
  client: McpClient
  site: Site
  workspaceId: string | undefined
}

/** How to connect one client: three steps, and below them what can be read later. */
export function ClientGuide({ client, site, workspaceId }: Props) {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <ol className="flex flex-col gap-5">
        <Step number={1} title={`Add Flamegate to ${client.name}`}>
          {client.callsFromAfar && !isOnInternet(site) ? (
            <Caution>
              {client.name} calls from servers of its maker, which cannot reach {site.origin}. It needs an
              address on the internet with https. Clients on your machine do not need one.
            </Caution>
          ) : null}
          <Blocks blocks={client.add} />
        </Step>
        <Step number={2} title="Log in">
          <Blocks blocks={[client.logIn, loginPage]} />
        </Step>
        <Step number={3} title="Ask">
          <CopyField label="First question" hideLabel isProse value={client.ask} />
        </Step>
      </ol>
      <div className="rounded-lg border border-line bg-surface">
        {sectionsOf(client, site).map(({ title, blocks }) => (
          <details key={title} className="group border-b border-line last:border-b-0">
            <summary className="flex cursor-pointer list-none items-center gap-2 rounded-md px-4 py-2.5 font-medium hover:bg-hover [&::-webkit-details-marker]:hidden">
              <span className="text-muted transition-transform group-open:rotate-90">
                <ChevronRight />
              </span>
              {title}
            </summary>
            <div className="flex flex-col gap-2.5 px-4 pt-1 pb-4 sm:pl-10">
              <Blocks blocks={blocks} />
              {blocks === client.token && workspaceId !== undefined && blocks.some(isToCopy) ? (
                <p>
                  <Link
                    to="/workspaces/$workspaceId/api-tokens"
                    params={{ workspaceId }}
                    className="text-link"
                  >
                    Make an API token
                  </Link>
                </p>
              ) : null}
            </div>
          </details>
        ))}
      </div>
      <div className="text-sm text-muted">
        <MarkdownView
          text={`Written after [the documentation of ${client.name}](${client.documentation}).`}
        />
      </div>
    </div>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2">
      <span
        aria-hidden="true"
        className="flex size-6 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
      >
        {number}
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="col-span-2 flex min-w-0 flex-col gap-2.5 sm:col-span-1 sm:col-start-2">{children}</div>
    </li>
  )
}

const isToCopy = (block: Block) => typeof block !== 'string' && 'copy' in block

/** Whether servers elsewhere may reach this address, as far as it tells itself. */
function isOnInternet({ origin }: Site): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' && hostname.includes('.') && !/^[\d.]+$/.test(hostname)
}
