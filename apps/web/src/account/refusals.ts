/** Why another service did not log somebody in, as the gateway's redirect names it (`refused=…`). */
const refusals: Readonly<Record<string, string>> = {
  failed: 'That did not work. Try again, or log in in another way.',
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
