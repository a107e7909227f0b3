import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import {
  buildToolRegistry,
  selectableToolsets,
  selectableToolsetWords,
  tools,
  type SelectableToolset,
  type ToolPolicy,
} from '../../packages/surfaces/src/index.ts'

/** What the list of tools at one address costs a model, on every turn. */
export interface ToolTokens {
  /** Below the public URL. */
  address: string
  what: string
  tools: number
  /** Of the result of `tools/list` as it is served, by the tokenizer o200k_base; others count much the same. */
  tokens: number
  /** What it must not exceed; null where nothing was promised. */
  goal: number | null
}

const plain: ToolPolicy = {
  selection: 'default',
  isReadOnly: false,
  fixes: 'nothing',
  hasOutputSchemas: false,
}
const toolsetGoal = 6_000

/** Every kind of address, as somebody who may do everything sees it: whoever may do less sees less. */
export function toolTokens(): ToolTokens[] {
  return [
    cost('/mcp/compact', 'A handful, with which everything is reached', { selection: 'compact' }, 2_000),
    cost('/mcp', 'All toolsets but live and mcp_servers', {}, 20_000),
    cost('/mcp/readonly', 'The same, only what reads', { isReadOnly: true }, 20_000),
    cost('/mcp/w/{workspace}', 'The same for one workspace', { fixes: 'workspace' }, 20_000),
    cost('/mcp/w/{workspace}/{project}', 'The same for one project', { fixes: 'project' }, 20_000),
    cost('/mcp/x/all', 'Everything', { selection: 'all' }, 26_000),
    cost('/mcp/x/all/readonly', 'Everything that reads', { selection: 'all', isReadOnly: true }, 26_000),
    cost(
      '/mcp/x/all?output_schemas=true',
      'Everything, with the schemas of answers',
      { selection: 'all', hasOutputSchemas: true },
      null,
    ),
    ...selectableToolsets
      .filter(hasTools)
      .map((name) =>
        cost(`/mcp/x/${name}`, selectableToolsetWords[name], { selection: [name] }, toolsetGoal),
      ),
  ]
}

/** Toolsets whose tools are still to come are listed once there are some. */
function hasTools(name: SelectableToolset): boolean {
  return tools.some(({ isAlias, operation }) =>
    isAlias ? name === 'octoperf_names' : operation.toolset === name,
  )
}

function cost(address: string, what: string, policy: Partial<ToolPolicy>, goal: number | null): ToolTokens {
  const { tools: listed, toolsJson } = buildToolRegistry({ ...plain, ...policy })
  return { address, what, tools: listed.length, tokens: encode(`{"tools":${toolsJson}}`).length, goal }
}
