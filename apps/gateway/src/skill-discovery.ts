import { hash } from 'node:crypto'
import { skillsOf, type PublicText } from '@flamegate/surfaces'
import type { Download } from './agent-downloads.ts'

/** Where installers look: https://github.com/cloudflare/agent-skills-discovery-rfc, version 0.2.0. */
export const skillsPath = '/.well-known/agent-skills'

/** The skills, and the index by which `npx skills add <this platform>` finds them; paths below `skillsPath`. */
export function discoveredSkills(texts: readonly PublicText[]): Download[] {
  const skills = skillsOf(texts)
  const index = {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skills.map(({ name, description, file }) => ({
      name,
      type: 'skill-md',
      description,
      url: `${skillsPath}/${name}/SKILL.md`,
      digest: `sha256:${hash('sha256', file, 'hex')}`,
    })),
  }
  return [
    { path: '/index.json', content: JSON.stringify(index, null, 2), contentType: 'application/json' },
    ...skills.map(({ name, file }) => ({
      path: `/${name}/SKILL.md`,
      content: file,
      contentType: 'text/markdown; charset=utf-8',
    })),
  ]
}
