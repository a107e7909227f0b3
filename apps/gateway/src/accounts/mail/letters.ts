import type { Mail } from './mailer.ts'

/**
 * The letters about accounts. They hold nothing that somebody typed, names included: whoever signs up with a
 * stranger's address must not be able to write to them in our name.
 */

/** To somebody who signed up, or asked again. */
export function verificationLetter(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address for Flamegate',
    text: letter(
      'Somebody, hopefully you, signed up for Flamegate with this e-mail address. Confirm it within a day:',
      link,
      'If that was not you, do nothing.',
    ),
  }
}

/** To somebody who forgot their password. */
export function resetLetter(to: string, link: string): Mail {
  return {
    to,
    subject: 'A new password for Flamegate',
    text: letter(
      'Choose a new password for your account within an hour:',
      link,
      'If you did not ask for this, do nothing: your password stays as it is.',
    ),
  }
}

/** To somebody with an account, in whose name somebody signed up. */
export function accountExistsLetter(to: string, siteUrl: string): Mail {
  return {
    to,
    subject: 'You have a Flamegate account already',
    text: letter(
      'Somebody, hopefully you, signed up for Flamegate with this e-mail address. It has an account already. Log in:',
      `${siteUrl}/log-in`,
      'If you forgot your password, choose a new one:',
      `${siteUrl}/forgot-password`,
      'If that was not you, do nothing.',
    ),
  }
}

/** To somebody who asked for a new password at an address without an account. */
export function noAccountLetter(to: string, siteUrl: string): Mail {
  return {
    to,
    subject: 'There is no Flamegate account with this address',
    text: letter(
      'Somebody, hopefully you, asked for a new password for Flamegate. There is no account with this e-mail address. Perhaps you signed up with another one, or you want to sign up:',
      `${siteUrl}/sign-up`,
      'If that was not you, do nothing.',
    ),
  }
}

function letter(...paragraphs: string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
