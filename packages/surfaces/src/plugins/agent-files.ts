import type { PublicText } from '../library/public-texts.ts'
import type { AgentFile } from './agent-file.ts'
import { claudeCodePlugin } from './claude-code.ts'
import { codexPlugin } from './codex.ts'
import { copilotFiles, cursorFiles } from './editors.ts'
import { geminiCliExtension } from './gemini-cli.ts'
import { installNotes, pluginNotes } from './install-notes.ts'
import { registryEntry } from './mcp-registry.ts'
import { pluginSource } from './plugin-source.ts'
import { sharedPlugin } from './shared-plugin.ts'

/**
 * Everything that clients of agents can install: plugins, rules, instructions and commands, made of the guides and prompts.
 * @param siteUrl The public URL of the platform that they lead to.
 * @param texts Its public texts.
 */
export function agentFiles(siteUrl: string, texts: readonly PublicText[]): AgentFile[] {
  const source = pluginSource(siteUrl, texts)
  return [
    installNotes(source),
    registryEntry(source),
    pluginNotes(source),
    ...sharedPlugin(source),
    ...claudeCodePlugin(source),
    ...codexPlugin(source),
    ...geminiCliExtension(source),
    ...cursorFiles(source),
    ...copilotFiles(source),
  ]
}
