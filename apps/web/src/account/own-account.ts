import { queryOptions } from '@tanstack/react-query'
import { ask, tell } from '../gateway.ts'

/** The gateway's endpoints of the account page. */

/** As `GET /auth/account` tells it. */
export interface OwnAccount {
  user: { id: string; email: string; name: string }
  is_email_confirmed: boolean
  has_password: boolean
  sessions: { id: string; is_current: boolean; user_agent: string; created_at: string }[]
  can_use_passkeys: boolean
  passkeys: {
    id: string
    name: string
    is_synced: boolean
    created_at: string
    last_used_at: string | null
  }[]
  one_time_codes: { in_use: boolean; recovery_codes_left: number }
  sign_ins: { id: string; name: string; linked: { email: string; linked_at: string } | null }[]
}

/** What an authenticator app needs: the QR code has rows from the top, `1` for dark. */
export interface Enrolment {
  secret: string
  uri: string
  qr_rows: string[]
}

export interface RecoveryCodes {
  recovery_codes: string[]
}

const path = '/auth/account'

export const ownAccountOptions = queryOptions<OwnAccount>({
  queryKey: ['own account'],
  queryFn: async ({ signal }) => JSON.parse(await ask(path, signal)),
})

export const rename = (name: string) => tell('PATCH', path, { name })

/** Sends a link to the new address. */
export const askForEmail = (email: string) => tell('POST', `${path}/email`, { email })

export const sendVerificationMail = () => tell('POST', `${path}/verification-mail`, {})

export const changePassword = (input: { present_password?: string; new_password: string }) =>
  tell('POST', `${path}/password`, input)

export const endSession = (id: string) => tell('DELETE', `${path}/sessions/${id}`, {})

export const endOtherSessions = () => tell('POST', `${path}/sessions/end-others`, {})

export const removePasskey = (id: string) => tell('DELETE', `${path}/passkeys/${id}`, {})

export async function beginOneTimeCodes(): Promise<Enrolment> {
  return JSON.parse(await tell('POST', `${path}/one-time-codes`, {}))
}

export async function confirmOneTimeCodes(code: string): Promise<RecoveryCodes> {
  return JSON.parse(await tell('POST', `${path}/one-time-codes/confirm`, { code }))
}

export async function renewRecoveryCodes(): Promise<RecoveryCodes> {
  return JSON.parse(await tell('POST', `${path}/one-time-codes/recovery-codes`, {}))
}

export const endOneTimeCodes = () => tell('DELETE', `${path}/one-time-codes`, {})

/** Where the browser goes to link an account elsewhere. */
export async function beginLink(id: string): Promise<{ redirect_to: string }> {
  return JSON.parse(await tell('POST', `${path}/sign-ins/${id}`, {}))
}

export const endLink = (id: string) => tell('DELETE', `${path}/sign-ins/${id}`, {})
