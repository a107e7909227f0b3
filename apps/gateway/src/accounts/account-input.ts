import { passwordLength } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import { z } from 'zod'

const email = z.email('This is no e-mail address.').max(254).toLowerCase()

export const signUpInput = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'A name is needed.')
    .max(100)
    .refine((name) => !name.includes('\0'), 'Leave out the character U+0000.'),
  email,
  password: z
    .string()
    .min(passwordLength.min, `At least ${passwordLength.min} characters.`)
    .max(passwordLength.max, `At most ${passwordLength.max} characters.`),
  /** The secret from an invitation's link. */
  invitation: z.string().min(1).max(200).optional(),
})

export const joinInput = z.strictObject({ invitation: z.string().min(1).max(200) })

// No lower limit for the password here: a wrong one is a wrong one, whatever its length.
export const logInInput = z.strictObject({ email, password: z.string().min(1).max(passwordLength.max) })

/** What `schema` reads in `body`; throws `invalid_input` with the fields. */
export function readInput<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const errors = result.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  throw new Problem('invalid_input', 'Some fields need another look.', { errors })
}
