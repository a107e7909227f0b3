/** What a platform hands out for its own address, below the path of public files. */
export const agentDownloads = {
  /** Every file of `agentFiles` is below it. */
  folder: '/agents',
  /** The marketplace of Claude Code, in which the plugin is an archive. */
  marketplace: 'marketplace.json',
  /** The plugin of Claude Code, Codex and Gemini CLI. */
  plugin: 'flamegate-plugin.zip',
  /** All files. */
  everything: 'flamegate-agents.zip',
} as const
