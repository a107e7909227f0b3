/** One file of what a client of agents installs. */
export interface AgentFile {
  /** Below the folder that all of them are in. */
  path: string
  content: string
}

export function jsonFile(path: string, document: object): AgentFile {
  return { path, content: `${JSON.stringify(document, null, 2)}\n` }
}

/** Markdown with YAML front matter. Texts are quoted as JSON is, which is YAML too. */
export function markdownFile(
  path: string,
  frontMatter: Readonly<Record<string, string | boolean>>,
  text: string,
): AgentFile {
  const lines = Object.entries(frontMatter).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return { path, content: ['---', ...lines, '---', '', `${text.trimEnd()}\n`].join('\n') }
}
