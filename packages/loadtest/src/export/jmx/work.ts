import { templateParts, type TemplateUse } from '../../model/template-parts.ts'
import type { HttpServer } from '../../model/http-server.ts'
import type { ExportNote } from '../exported.ts'

/** What all parts of one export share. */
export interface Work {
  servers: ReadonlyMap<string, HttpServer>
  notes: ExportNote[]
  /** Functions of JMeter that stand for variables which have a new value at each use. */
  inline: ReadonlyMap<string, string>
  thinkTimeFactor: number
}

export function noteFor({ notes }: Work, actionId: string | null): (text: string) => void {
  return (text) => {
    if (!notes.some((note) => note.actionId === actionId && note.text === text))
      notes.push({ actionId, text })
  }
}

/** A template as JMeter writes it: a literal `${` is made of two parts there. */
export function toJmeter({ inline }: Pick<Work, 'inline'>, template: string): string {
  if (!template.includes('${')) return template
  return templateParts(template)
    .map((part) => (typeof part === 'string' ? literal(part) : (inline.get(part.name) ?? reference(part))))
    .join('')
}

/** A text in which nothing is replaced, as it stands beside variables: there backslashes are doubled. */
function literal(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('${', () => '${__char(36)}{')
}

/** A text that has no variables. */
export function plain(text: string): string {
  return text.includes('${') ? literal(text) : text
}

/** `${x[2]}` is `${x_3}`, `${x.length}` is `${x_matchNr}`. */
export function reference({ name, index }: TemplateUse): string {
  return index === null ? `\${${name.replace(/\.length$/, '_matchNr')}}` : `\${${name}_${index + 1}}`
}
