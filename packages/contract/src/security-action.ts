/** What people, and clients in their name, do that is no operation. The wire and the pages know these words too. */
export const securityActions = [
  'log_in',
  'log_out',
  'sign_up',
  'confirm_email',
  'prove',
  'change_email',
  'undo_email_change',
  'change_password',
  'reset_password',
  'turn_on_one_time_codes',
  'turn_off_one_time_codes',
  'renew_recovery_codes',
  'add_passkey',
  'remove_passkey',
  'link_sign_in',
  'unlink_sign_in',
  'end_sessions',
  'register_client',
  'allow_client',
  'refuse_client',
  'change_consent',
  'allow_device',
  'refuse_device',
  'issue_machine_token',
] as const

export type SecurityAction = (typeof securityActions)[number]
