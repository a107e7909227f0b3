import { DataTable } from '../components/data-table.tsx'
import { Section } from '../components/section.tsx'
import { useWorkspace } from '../shell/workspace.ts'
import { Page } from '../shell/page.tsx'
import costs from '../tool-tokens.json' with { type: 'json' }

/** Where an agent can be connected to see fewer tools, and what each list of tools costs it. */
export function ToolAddressesPage() {
  const workspace = useWorkspace()
  const rows = costs.map((cost) => ({
    ...cost,
    url: window.location.origin + cost.address.replace('{workspace}', workspace?.slug ?? '{workspace}'),
  }))
  return (
    <Page
      title="Tool addresses"
      lead="An agent carries the list of tools along in every turn. Connect it to the address that lists what it needs, and no more."
    >
      <DataTable
        label="Addresses"
        rows={rows}
        rowKey={({ address }) => address}
        whenEmpty="There are no addresses."
        columns={[
          {
            key: 'url',
            title: 'Address',
            sortBy: ({ address }) => address,
            render: ({ url }) => <code className="text-sm break-all">{url}</code>,
          },
          { key: 'what', title: 'What it lists', hideBelow: 'lg', render: ({ what }) => what },
          {
            key: 'tools',
            title: 'Tools',
            align: 'right',
            hideBelow: 'sm',
            sortBy: ({ tools }) => tools,
            render: ({ tools }) => tools,
          },
          {
            key: 'tokens',
            title: 'Tokens',
            align: 'right',
            sortBy: ({ tokens }) => tokens,
            render: ({ tokens }) => tokens.toLocaleString(),
          },
        ]}
      />
      <Section title="How addresses are made">
        <ul className="flex max-w-3xl list-disc flex-col gap-2 pl-5">
          <li>
            Several toolsets go with a plus between them: <code>/mcp/x/benchmarks+profiles</code>.
          </li>
          <li>
            <code>/readonly</code> at the end leaves what only reads, and refuses everything else.
          </li>
          <li>
            <code>/mcp/w/{'<workspace>'}</code>, or with a project behind it, stands in front of the others:{' '}
            <code>/mcp/w/acme/checkout/x/benchmarks/readonly</code>. No tool then asks for them, and no other
            workspace is reached.
          </li>
          <li>
            A client that cannot change its address sends the headers <code>X-MCP-Toolsets</code> and{' '}
            <code>X-MCP-Readonly</code>.
          </li>
        </ul>
      </Section>
      <p className="max-w-3xl text-muted">
        Counted with the tokenizer o200k_base, for somebody who may do everything. Whoever may do less is
        shown less.
      </p>
    </Page>
  )
}
