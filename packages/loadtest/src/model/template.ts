import { z } from 'zod'

/** Most characters of a text that an author writes: a body, a script. */
export const textCharactersMax = 1_000_000

/**
 * A text in which `${name}` stands for the value of a variable when the action runs; `$${` is a plain `${`. What an extractor
 * with match `all` found is a list: `${name}` is its first value, `${name[2]}` the third, `${name.length}` how many.
 */
export const template = z.string().max(textCharactersMax)

/** A template that stands for just this text, with no variable in it. */
export function literal(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/** Name of a variable: what stands between the braces of a template. */
export const variableName = z
  .string()
  .max(80)
  .regex(/^[A-Za-z_][\w.-]*$/, 'Begin with a letter, and go on with letters, digits, _, . and -.')

/** Path of a project file, relative to the project: `users.csv`, `uploads/photo.png`. */
export const filePath = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^/\\\0][^\\\0]*(?<!\/)$/,
    'Write a relative path with forward slashes, without . and .. in it.',
  )

/** A name and a value, both templates; they are sent in this order, and a name may come again. */
export const field = z.strictObject({ name: template, value: template })
export type Field = z.infer<typeof field>
