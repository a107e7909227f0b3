import type { AgentFile } from './agent-file.ts'
import type { PluginSource } from './plugin-source.ts'

/** The folder that Claude Code, Codex and Gemini CLI install: each reads a manifest of its own, and the same skills. */
export const pluginFolder = 'plugins/flamegate'

/** What all of them read. */
export function sharedPlugin({ skills }: PluginSource): AgentFile[] {
  return skills.map(({ name, file }) => ({ path: `${pluginFolder}/skills/${name}/SKILL.md`, content: file }))
}
