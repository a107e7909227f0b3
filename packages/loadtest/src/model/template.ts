import { z } from 'zod'

/** Most characters of a text that an author writes: a body, a script. */
export const textCharactersMax = 1_000_000

/**
 * A text in which `${name}` stands for the value of a variable when the action runs; `$${` is a plain `${`. What an extractor
 * with match `all` found is a list: `${name}` is its first value, `${name[2]}` the third, `${name.length}` how many.
 */
export const template = z
  .string()
  .max(textCharactersMax)
  .meta({ id: 'template', description: '${name} stands for the value of a variable; $${ is a plain ${.' })

/** A template that stands for just this text, with no variable in it. */
export function literal(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/** Name of a variable: what stands between the braces of a template. */
export const variableName = z
  .string()
  .max(80)
  .regex(/^[A-Za-z_][\w.-]*$/, 'Begin with a letter, and go on with letters, digits, _, . and -.')
  .meta({ id: 'variable_name' })

/** Id of a part of an action: an extractor, an assertion, a step of a page, an embedded resource. */
export const partId = z.string().min(1).max(64).meta({ id: 'part_id' })

/** Where a request goes: the server that has this id. */
export const serverId = z
  .string()
  .min(1)
  .max(64)
  .meta({ id: 'server_id', description: 'Id of the HTTP server (srv_…).' })

/** Path of a project file, relative to the project: `users.csv`, `uploads/photo.png`. */
export const filePath = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^/\\\0][^\\\0]*(?<!\/)$/,
    'Write a relative path with forward slashes, without . and .. in it.',
  )
  .meta({ id: 'file_path', description: 'Path of a project file.' })

/** A name and a value, both templates; they are sent in this order, and a name may come again. */
export const field = z.strictObject({ name: template, value: template }).meta({ id: 'field' })
export type Field = z.infer<typeof field>
