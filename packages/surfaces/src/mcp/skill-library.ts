import { hash } from 'node:crypto'
import type { PublicText } from '../library/public-texts.ts'
import { skillsOf } from '../library/skills.ts'
import type { Library } from './library.ts'

/** The overview and the guides as skills, for clients that take skills over MCP; the same for everybody. */
export function skillLibrary(texts: readonly PublicText[]): Library {
  const skills = skillsOf(texts).map((skill) => ({
    ...skill,
    uri: `skill://flamegate/${skill.name}/SKILL.md`,
  }))
  const byUri = new Map(skills.map((skill) => [skill.uri, skill]))
  return {
    resources: [],
    templates: [],
    prompts: [],
    skills: skills.map(({ uri, name, description, file }) => ({
      uri,
      frontmatter: { name, description },
      resources: [{ uri, digest: `sha256:${hash('sha256', file, 'hex')}`, size: Buffer.byteLength(file) }],
    })),
    async read(uri) {
      const found = byUri.get(uri)
      return found && [{ uri, mimeType: 'text/markdown', text: found.file }]
    },
    async prompt() {
      return undefined
    },
    async complete() {
      return undefined
    },
  }
}
