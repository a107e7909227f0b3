import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { catalogue, toolsets, wireDocuments } from '@flamegate/contract'
import { designSchemas } from '@flamegate/loadtest/schemas'

/** Where the texts are served, below the public URL; they ask for no credential. */
export const publicPath = '/mcp/public'

/** Something for agents to read before they call anything. */
export interface PublicText {
  /** `agents`; a guide, `explain-regression`; a schema, `run.json`. */
  name: string
  kind: 'overview' | 'guide' | 'schema'
  title: string
  /** One sentence: when to read it. */
  description: string
  mediaType: 'text/markdown' | 'application/schema+json'
  text: string
  /** The text as a file; of a guide in the form of a `SKILL.md`, with front matter. */
  file: string
  /** Where the file is, below `publicPath`; the first is the one to tell people. */
  paths: readonly string[]
  /** The same as a URL. */
  publicUrl: string
  /** The same as an MCP resource: `flamegate://skill/explain-regression`, `flamegate://schema/run`. */
  resourceUri: string
}

const guidesFolder = resolve(import.meta.dirname, '../../guides')

/**
 * All public texts: the overview, the guides by name, the schemas. Reads the files; do it once, at start.
 * @param siteUrl The public URL of the platform, which the texts name.
 */
export function publicTexts(siteUrl: string): PublicText[] {
  const guides = readdirSync(join(guidesFolder, 'skills'))
    .toSorted()
    .map((file) => guide(basename(file, '.md'), siteUrl))
  const schemas = [...wireDocuments(), ...designSchemas()].map((document): PublicText => {
    const path = `/schema/${document.name}.json`
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: siteUrl + publicPath + path,
      title: document.title,
      description: document.description,
      ...document.schema,
    }
    return {
      name: `${document.name}.json`,
      kind: 'schema',
      title: document.title,
      description: document.description,
      mediaType: 'application/schema+json',
      // Agents pay for each space, people read the file.
      text: JSON.stringify(schema),
      file: JSON.stringify(schema, null, 2),
      ...placed(siteUrl, path),
      resourceUri: `flamegate://schema/${document.name}`,
    }
  })
  return [overview(siteUrl, guides, schemas), ...guides, ...schemas]
}

function overview(siteUrl: string, guides: PublicText[], schemas: PublicText[]): PublicText {
  const source = readGuide('AGENTS.md', siteUrl)
  const listed = (texts: PublicText[]) =>
    texts.map((each) => `- \`${each.name}\`: ${each.description}`).join('\n')
  const text = source.text.replace('{guides}', listed(guides)).replace('{schemas}', listed(schemas))
  return {
    name: 'agents',
    kind: 'overview',
    title: source.title,
    description: source.description,
    mediaType: 'text/markdown',
    text,
    file: text,
    ...placed(siteUrl, '/AGENTS.md'),
    resourceUri: 'flamegate://skill/agents',
  }
}

function guide(name: string, siteUrl: string): PublicText {
  const { title, description, text } = readGuide(`skills/${name}.md`, siteUrl)
  return {
    name,
    kind: 'guide',
    title,
    description,
    mediaType: 'text/markdown',
    text,
    file: `---\nname: ${name}\ndescription: ${description}\n---\n\n${text}`,
    ...placed(siteUrl, `/skills/${name}.md`, `/skills/${name}/SKILL.md`),
    resourceUri: `flamegate://skill/${name}`,
  }
}

function placed(siteUrl: string, ...paths: [string, ...string[]]): Pick<PublicText, 'paths' | 'publicUrl'> {
  return { paths, publicUrl: siteUrl + publicPath + paths[0] }
}

/** @throws TypeError when the file has no front matter with a description, or no heading. */
function readGuide(file: string, siteUrl: string): { title: string; description: string; text: string } {
  const source = readFileSync(join(guidesFolder, file), 'utf8')
  const [, description, body] = /^---\nname: .+\ndescription: (.+)\n---\n\n(.+)$/s.exec(source) ?? []
  const title = /^# (.+)$/m.exec(body ?? '')?.[1]
  if (description === undefined || body === undefined || title === undefined) {
    throw new TypeError(`${file} needs front matter with name and description, and a heading.`)
  }
  const text = body.replaceAll('{public_url}', siteUrl).replace('{toolsets}', toolsetList())
  return { title, description, text }
}

/** Toolsets that have tools, with what each is for. */
function toolsetList(): string {
  const used = new Set<string>(catalogue.filter((each) => each.mcp).map((each) => each.toolset))
  return Object.entries(toolsets)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => `- \`${name}\`: ${description}`)
    .join('\n')
}
