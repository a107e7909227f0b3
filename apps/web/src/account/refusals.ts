/** Why another service did not log somebody in, as the gateway's redirect names it (`refused=…`). */
const refusals: Readonly<Record<string, string>> = {
  failed: 'That did not work. Try again, or log in in another way.',
  sso_required: 'Your workspace wants you to log in with single sign-on.',
  sso_failed: 'That took too long, or was not begun in this browser. Log in with single sign-on once more.',
  sso_refused: 'Your provider did not let you in. Ask whoever runs it whether you may use Flamegate.',
  sso_unreachable: 'Your provider could not be reached. Try again, or tell an owner of your workspace.',
  sso_no_configuration:
    'Your provider did not answer as an OpenID provider does. Tell an owner of your workspace to test it.',
  sso_issuer_mismatch:
    'Your provider names itself otherwise than your workspace has it. Tell an owner to look at the issuer.',
  sso_wrong_client:
    'Your provider does not accept the client of your workspace. Tell an owner to look at client id and secret.',
  sso_clock:
    'The clocks of your provider and of this installation are too far apart. Tell whoever runs one of them.',
  sso_keys: 'Your provider signs with a key that it does not publish. Tell whoever runs it.',
  sso_no_email:
    'Your provider did not tell your e-mail address. Ask whoever runs it to let Flamegate have the scope email.',
  sso_email_unverified:
    'Your provider does not say that your e-mail address is confirmed. Ask whoever runs it for the claim email_verified.',
  sso_domain_not_proved:
    'Your e-mail address is of a domain that this workspace has not proved. Tell an owner to prove it.',
  sso_address_elsewhere:
    'Your account here has an e-mail address of another domain by now. Log in in another way.',
  sso_account_exists:
    'There is an account with your e-mail address that nobody confirmed. Ask an owner of your workspace to invite you, and join with it once.',
  sso_other_person:
    'Your account came in as somebody else of that provider before. Ask an owner to remove you from the workspace, then come again.',
  account_disabled: 'This account was disabled. Ask whoever runs this installation to let you in again.',
  email_unconfirmed:
    'Confirm your e-mail address first: open the link in the mail that we sent you, then log in again.',
  email_unconfirmed_there:
    'That service does not confirm your e-mail address. Log in or sign up here, then link it on your account page.',
  account_exists:
    'There is an account with your e-mail address already. Log in to it, then link this service on your account page.',
  proof_needed: 'That took too long. Prove once more that it is you, then link it.',
  linked_to_another: 'That account elsewhere is linked with another account here.',
  linked_already: 'Your account is linked with another account of that service. Unlink that one first.',
}

/** The words for a reason, or undefined when there is none. */
export function refusalWords(reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : (refusals[reason] ?? refusals['failed'])
}
