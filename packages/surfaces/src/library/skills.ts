import type { PublicText } from './public-texts.ts'

/** A guide in the form of https://agentskills.io/specification: a folder of this name with a `SKILL.md`. */
export interface Skill {
  name: string
  /** One sentence: when to use it. */
  description: string
  /** `SKILL.md`, with front matter. */
  file: string
}

/** The overview and the guides as skills. The overview is named after us, because names of all servers meet in a client. */
export function skillsOf(texts: readonly PublicText[]): Skill[] {
  return texts.flatMap(({ kind, name, description, file }) => {
    if (kind === 'schema') return []
    if (kind === 'guide') return [{ name, description, file }]
    return [
      {
        name: 'flamegate',
        description,
        file: `---\nname: flamegate\ndescription: ${description}\n---\n\n${file}`,
      },
    ]
  })
}
