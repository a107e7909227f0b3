import type { WhereFrom } from '../where-from.ts'
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
      'Somebody, hopefully you, signed up for Flamegate with this e-mail address. Confirm it within a day, with the password that you chose when signing up:',
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

/** What was changed in what an account is logged in with, as the letter about it says it. */
const changes = {
  password_changed: 'The password of your Flamegate account was changed.',
  password_reset: 'A new password was chosen for your Flamegate account, by a link that was mailed to you.',
  passkey_added: 'A passkey was added to your Flamegate account.',
  passkey_removed: 'A passkey was removed from your Flamegate account.',
  codes_on: 'One-time codes were turned on for your Flamegate account.',
  codes_off: 'One-time codes were turned off for your Flamegate account.',
  recovery_codes_renewed: 'New recovery codes were made for your Flamegate account.',
  sign_in_linked:
    'An account at another service was linked with your Flamegate account, and can log in to it.',
  sign_in_unlinked: 'An account at another service was unlinked from your Flamegate account.',
} as const

export type SecurityChange = keyof typeof changes

/** To the owner of an account, after every change of what it is logged in with. */
export function changeLetter(to: string, siteUrl: string, change: SecurityChange, where: WhereFrom): Mail {
  return {
    to,
    subject: 'A change in your Flamegate account',
    text: letter(
      changes[change],
      wordsFor(where),
      'If that was you, do nothing. If not, choose a new password at once, and then remove what you do not know from your account:',
      `${siteUrl}/forgot-password`,
      `${siteUrl}/settings/account`,
    ),
  }
}

/** To the owner of an account whose second factor somebody seems to guess, who knows the password then. */
export function codesGuessedLetter(to: string, siteUrl: string, where: WhereFrom): Mail {
  return {
    to,
    subject: 'Wrong one-time codes for your Flamegate account',
    text: letter(
      'Somebody proved to be you at Flamegate, with your password for instance, and then gave several wrong one-time codes.',
      `${wordsFor(where)} Nobody was let in.`,
      'If that was you, do nothing: a recovery code lets you in too. If not, choose a new password at once:',
      `${siteUrl}/forgot-password`,
    ),
  }
}

/** To the owner of an account, after whoever runs the platform turned off the codes. */
export function codesTurnedOffLetter(to: string, siteUrl: string, at: Date): Mail {
  return {
    to,
    subject: 'A change in your Flamegate account',
    text: letter(
      'Whoever runs Flamegate turned off one-time codes for your account, because they were told that you lost them.',
      `That was on ${timeOf(at)}.`,
      'If you did not ask for this, tell them, and turn the codes on again:',
      `${siteUrl}/settings/account`,
    ),
  }
}

/** To the new address of somebody who wants to change it. */
export function newEmailLetter(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your new e-mail address for Flamegate',
    text: letter(
      'Somebody, hopefully you, wants to use this e-mail address for their Flamegate account from now on. Confirm it within a day, in the browser in which you are logged in:',
      link,
      'If that was not you, do nothing.',
    ),
  }
}

/** To an address with an account, that somebody else wants for theirs. */
export function emailTakenLetter(to: string): Mail {
  return {
    to,
    subject: 'This address has a Flamegate account already',
    text: letter(
      'Somebody, hopefully you, wanted to use this e-mail address for another Flamegate account. It has an account of its own, so nothing was changed.',
      'If that was not you, do nothing.',
    ),
  }
}

/** To the address that an account had until now. */
export function emailChangedLetter(to: string, undoLink: string, where: WhereFrom): Mail {
  return {
    to,
    subject: 'The e-mail address of your Flamegate account was changed',
    text: letter(
      'Your Flamegate account has another e-mail address from now on, and no more mails will come here.',
      wordsFor(where),
      'If that was you, do nothing. If not, take your account back within seven days. That logs everybody out, and you choose a new password:',
      undoLink,
    ),
  }
}

/** To somebody who was invited. The inviter's address is one that was confirmed; nothing else here was typed. */
export function invitationLetter(to: string, invitedBy: string, link: string, expiresAt: Date): Mail {
  return {
    to,
    subject: 'You are invited to a workspace on Flamegate',
    text: letter(
      `${invitedBy} invites you to a workspace on Flamegate. Join it until ${timeOf(expiresAt)}, with an account for this e-mail address:`,
      link,
      'If you do not know them, do nothing.',
    ),
  }
}

function wordsFor({ at, address, browser }: WhereFrom): string {
  return `That was on ${timeOf(at)}, from the address ${address}, with ${browser}.`
}

/** `2026-11-21 14:05 UTC` */
function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function letter(...paragraphs: string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
