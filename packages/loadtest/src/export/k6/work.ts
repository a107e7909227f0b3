import { templateParts } from '../../model/template-parts.ts'
import type { HttpServer } from '../../model/http-server.ts'
import type { ExportNote } from '../exported.ts'

/** What all parts of one export share. */
export interface Work {
  servers: ReadonlyMap<string, HttpServer>
  notes: ExportNote[]
  /** Project files that the script opens, by the name of the constant that holds their bytes. */
  files: Map<string, string>
}

export function noteFor({ notes }: Work, actionId: string | null): (text: string) => void {
  return (text) => {
    if (!notes.some((note) => note.actionId === actionId && note.text === text))
      notes.push({ actionId, text })
  }
}

/** A text as JavaScript writes it. */
export function quote(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
}

/** An expression for what a template stands for when it runs. */
export function expression(template: string): string {
  const parts = templateParts(template).map((part) => {
    if (typeof part === 'string') return quote(part)
    const length = /^(.+)\.length$/.exec(part.name)
    if (length !== null && part.index === null) return `count(${quote(length[1]!)})`
    return part.index === null ? `value(${quote(part.name)})` : `value(${quote(part.name)}, ${part.index})`
  })
  return parts.length === 0 ? "''" : parts.join(' + ')
}

/** Name of the constant with the bytes of a project file. */
export function fileOf({ files }: Work, path: string): string {
  const known = [...files].find(([, each]) => each === path)?.[0]
  const name = known ?? `file${files.size + 1}`
  files.set(name, path)
  return name
}

/** Lines of a comment: nothing in them ends it. */
export function comment(text: string): string[] {
  return text.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `// ${line}`.trimEnd())
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`))
}
