import { jsonFile, markdownFile, type AgentFile } from './agent-file.ts'
import { argumentHint, serverName, shortContext, type PluginSource } from './plugin-source.ts'

/** For the repository of somebody who uses Cursor: https://cursor.com/docs/rules, https://cursor.com/docs/mcp */
export function cursorFiles({ siteUrl, overview }: PluginSource): AgentFile[] {
  return [
    // It takes few tools: all others are found and called by those few.
    jsonFile('cursor/.cursor/mcp.json', { mcpServers: { [serverName]: { url: `${siteUrl}/mcp/compact` } } }),
    // Without globs, Cursor's agent takes the rule by its description.
    markdownFile(
      'cursor/.cursor/rules/flamegate.mdc',
      { description: overview.description, alwaysApply: false },
      overview.text,
    ),
    markdownFile(
      'cursor/.cursor/rules/flamegate-benchmarks.mdc',
      { globs: benchmarkFiles, alwaysApply: false },
      measuringNote,
    ),
  ]
}

/**
 * For the repository of somebody who uses Copilot: https://code.visualstudio.com/docs/agent-customization/overview,
 * https://docs.github.com/copilot/customizing-copilot
 */
export function copilotFiles(source: PluginSource): AgentFile[] {
  const { siteUrl, prompts } = source
  return [
    jsonFile('copilot/.vscode/mcp.json', {
      servers: { [serverName]: { type: 'http', url: `${siteUrl}/mcp` } },
    }),
    { path: 'copilot/.github/copilot-instructions.md', content: shortContext(source) },
    markdownFile(
      'copilot/.github/instructions/flamegate-benchmarks.instructions.md',
      { description: 'How to change benchmarks that are measured over time.', applyTo: benchmarkFiles },
      measuringNote,
    ),
    ...prompts.map((prompt) => {
      const values = Object.fromEntries(
        prompt.arguments.map(({ name, description }) => [
          name,
          `\${input:${name}:${inputHint(description)}}`,
        ]),
      )
      return markdownFile(
        `copilot/.github/prompts/flamegate-${prompt.name}.prompt.md`,
        { agent: 'agent', description: prompt.description, 'argument-hint': argumentHint(prompt) },
        prompt.text(values),
      )
    }),
  ]
}

/** Where benchmark tools look for benchmarks. */
const benchmarkFiles =
  '**/bench/**,**/benches/**,**/benchmarks/**,**/*.bench.*,**/*_bench.*,**/*_bench_test.go,**/test_bench*.py,**/*Benchmark*'

const measuringNote = `# Benchmarks

Results of these files are kept in Flamegate, by the names of the benchmarks.

- Measure before you change anything, and once more after it, on the same machine. Compare with \`compare_runs\`.
- Keep names and inputs as they are: with another name a benchmark loses its history, with another input its meaning.
- Never make a benchmark weaker so that a number gets better.
- The MCP server \`${serverName}\` has guides: call \`read_guide\` with the name \`optimize-loop\`.
`

/** A hint ends at the brace, and its parts are apart by colons. */
function inputHint(description: string): string {
  return description.replaceAll(/[:{}]/g, ' ')
}
