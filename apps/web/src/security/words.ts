import { type AnswerOf, type operations, type SecurityAction, securityActions } from '@flamegate/contract'

export type SecurityEvent = AnswerOf<typeof operations.listSecurityEvents>['security_events'][number]

const actions: Record<SecurityAction, string> = {
  log_in: 'Log-in',
  log_out: 'Log-out',
  sign_up: 'Sign-up',
  confirm_email: 'Confirmation of the e-mail address',
  prove: 'Proof of who it is',
  change_email: 'Change of the e-mail address',
  undo_email_change: 'Change of the e-mail address undone',
  change_password: 'Change of the password',
  reset_password: 'Password chosen anew',
  turn_on_one_time_codes: 'One-time codes turned on',
  turn_off_one_time_codes: 'One-time codes turned off',
  renew_recovery_codes: 'New recovery codes',
  add_passkey: 'New passkey',
  remove_passkey: 'Passkey removed',
  link_sign_in: 'Link with an account elsewhere',
  unlink_sign_in: 'Link with an account elsewhere removed',
  end_sessions: 'Other sessions ended',
  join_workspace: 'Invitation accepted',
  provision_member: 'Member added by SCIM',
  change_provisioned_member: 'Member changed by SCIM',
  deprovision_member: 'Member removed by SCIM',
  register_client: 'New app',
  allow_client: 'App allowed',
  refuse_client: 'App refused',
  change_consent: 'Other choices for an app',
  allow_device: 'Device allowed',
  refuse_device: 'Device refused',
  issue_machine_token: 'Access token for a machine',
  issue_keyless_token: 'Upload token for a job in CI',
}

/** What was done, in words; an operation that belongs to no workspace goes by its name. */
export function actionWords(action: string): string {
  const known = securityActions.find((each) => each === action)
  return known === undefined ? action : actions[known]
}

/** What was wrong; undefined when nothing was. */
export function outcomeWords(outcome: string): string | undefined {
  return outcome === 'ok' ? undefined : outcome.replaceAll('_', ' ')
}
