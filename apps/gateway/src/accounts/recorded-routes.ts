import type { RecordedRoute } from '../security-events.ts'

const password = { unauthenticated: 'wrong_password', invalid_input: 'wrong_password' }
const passkey = { unauthenticated: 'wrong_passkey' }
const code = { unauthenticated: 'too_late', invalid_input: 'wrong_code' }
const settings = '/auth/account'

/** What people do to their accounts that the audit log tells. */
export const recordedAccountRoutes: Readonly<Record<string, RecordedRoute>> = {
  'POST /auth/sign-up': { action: 'sign_up', ofAnybody: true },
  'POST /auth/join': { action: 'join_workspace' },
  'POST /auth/log-in': {
    action: 'log_in',
    outcomes: { unauthenticated: 'wrong_password', 202: 'code_needed' },
    ofAnybody: true,
  },
  'POST /auth/log-in/code': { action: 'log_in', outcomes: code, ofAnybody: true },
  'POST /auth/log-in/passkey': { action: 'log_in', outcomes: passkey, ofAnybody: true },
  'GET /auth/sign-ins/:id/callback': { action: 'log_in', ofAnybody: true },
  'GET /auth/sso/:workspaceId/callback': { action: 'log_in', ofAnybody: true },
  'POST /auth/log-out': { action: 'log_out' },
  'POST /auth/prove': { action: 'prove', outcomes: password },
  'POST /auth/prove/passkey': { action: 'prove', outcomes: passkey },
  'POST /auth/verify-email': { action: 'confirm_email', outcomes: password, ofAnybody: true },
  'POST /auth/reset-password': { action: 'reset_password', ofAnybody: true },
  'POST /auth/change-email': { action: 'change_email' },
  'POST /auth/undo-email-change': { action: 'undo_email_change' },
  [`POST ${settings}/password`]: { action: 'change_password', outcomes: password },
  [`POST ${settings}/sessions/end-others`]: { action: 'end_sessions' },
  [`DELETE ${settings}/sessions/:id`]: { action: 'end_sessions' },
  [`POST ${settings}/one-time-codes/confirm`]: { action: 'turn_on_one_time_codes', outcomes: code },
  [`POST ${settings}/one-time-codes/recovery-codes`]: { action: 'renew_recovery_codes' },
  [`DELETE ${settings}/one-time-codes`]: { action: 'turn_off_one_time_codes' },
  [`POST ${settings}/passkeys`]: { action: 'add_passkey' },
  [`DELETE ${settings}/passkeys/:id`]: { action: 'remove_passkey' },
  [`DELETE ${settings}/sign-ins/:id`]: { action: 'unlink_sign_in' },
}
