import { passwordLength } from '@flamegate/auth'
import { dictionary } from '@zxcvbn-ts/language-common'

/** Passwords that leaked most often, of those that are long enough here: some 18,000. */
const common = new Set(dictionary['passwords-common'].filter(({ length }) => length >= passwordLength.min))

/** What is tried on us in particular, whatever digits and signs are around it: docs/security/README.md lists them. */
const ownWords = new Set([
  'flamegate',
  'flamegateadmin',
  'adminflamegate',
  'flamegatepassword',
  'flamegatedemo',
])

/** Whether a password is among those that whoever guesses tries first. */
export function isOftenTried(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  return common.has(plain) || ownWords.has(plain.replaceAll(/\P{L}/gu, ''))
}
