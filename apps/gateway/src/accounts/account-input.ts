import { passwordLength } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import { z } from 'zod'
import { isOftenTried } from './often-tried.ts'

const email = z.email('This is no e-mail address.').max(254).toLowerCase()

const name = z
  .string()
  .trim()
  .min(1, 'A name is needed.')
  .max(100)
  .refine((text) => !text.includes('\0'), 'Leave out the character U+0000.')

const newPassword = z
  .string()
  .min(passwordLength.min, `At least ${passwordLength.min} characters.`)
  .max(passwordLength.max, `At most ${passwordLength.max} characters.`)
  .refine((text) => !isOftenTried(text), 'Many have this password: it is tried first. Take another one.')

// No lower limit: a wrong one is a wrong one, whatever its length.
const presentPassword = z.string().min(1).max(passwordLength.max)

/** A one-time code or a recovery code, as people type them. */
const code = z.string().trim().min(1, 'A code is needed.').max(40)

/** What a link or a cookie carries. */
const secret = z.string().min(1).max(200)

const invited = {
  /** The secret from an invitation's link. */
  invitation: secret.optional(),
  /** The id from an invitation by mail, which counts for whoever has confirmed its address. */
  invitation_id: z.string().min(1).max(100).optional(),
}

export const signUpInput = z.strictObject({
  name,
  email,
  password: newPassword,
  ...invited,
})

export const joinInput = z
  .strictObject(invited)
  .refine((input) => Object.values(input).some((value) => value !== undefined), 'An invitation is needed.')

export const logInInput = z.strictObject({ email, password: presentPassword })

export const codeInput = z.strictObject({ code })

export const emailInput = z.strictObject({ email })

export const tokenInput = z.strictObject({ token: secret })

export const verifyInput = z.strictObject({
  token: secret,
  /** Needed but in the browser that signed up. */
  password: presentPassword.optional(),
})

export const resetInput = z.strictObject({
  token: secret,
  password: newPassword,
  /** Whether apps that act for the person are cut off too. */
  end_connected_apps: z.boolean().default(false),
})

export const nameInput = z.strictObject({ name })

export const passwordChangeInput = z.strictObject({
  /** Needed where there is one. */
  present_password: presentPassword.optional(),
  new_password: newPassword,
})

export const proofInput = z.strictObject({
  password: presentPassword,
  /** Needed where one-time codes are in use. */
  code: code.optional(),
})

/** Where to go on after logging in elsewhere: an authorization request, or a path of the site. */
export const goOnInput = z.strictObject({
  interaction: z
    .string()
    .max(200)
    .regex(/^[\w-]+$/)
    .optional(),
  return_to: z
    .string()
    .max(2000)
    // `//host`, `/\host` and control characters, which browsers drop, would lead elsewhere.
    .regex(/^\/(?![/\\])\P{Cc}*$/u)
    .optional(),
})

/** Which provider one wants to log in with, by one's address or by the short name of the workspace. */
export const ssoInput = goOnInput
  .extend({ email: email.optional(), workspace: z.string().min(1).max(60).optional() })
  .refine((input) => (input.email === undefined) !== (input.workspace === undefined), {
    path: ['email'],
    message: 'Write your e-mail address.',
  })

const bytes = z.base64url().max(20_000)
const credential = {
  id: bytes.max(2000),
  rawId: bytes.max(2000),
  type: z.literal('public-key'),
  // Browsers say more, and will say more still; none of it is believed.
  clientExtensionResults: z.unknown().transform(() => ({})),
}

/** https://w3c.github.io/webauthn/#dictdef-registrationresponsejson */
export const passkeyInput = z.strictObject({
  name,
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      // Words such as `usb` and `smart-card`; those that are not known yet count too.
      transports: z
        .array(z.string().regex(/^[\w-]{1,50}$/))
        .max(10)
        .optional(),
    }),
  }),
})

/** https://w3c.github.io/webauthn/#dictdef-authenticationresponsejson */
export const passkeyProofInput = z.strictObject({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: bytes.optional(),
    }),
  }),
})

/** What `schema` reads in `body`; throws `invalid_input` with the fields. */
export function readInput<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const errors = result.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  throw new Problem('invalid_input', 'Some fields need another look.', { errors })
}

/** One field that was read, and is not right. */
export function wrong(field: string, message: string): Problem {
  return new Problem('invalid_input', message, { errors: [{ field, message }] })
}
