/** Whether a variable of this name is better kept as a secret. */
export function soundsSecret(name: string): boolean {
  return /passw|passphrase|pwd|secret|token|api[-_ ]?key|credential|authorization/i.test(name)
}

/** Whether a field of this name is for a password: `user[newPassword]`, `pwd`. */
export function isPassword(name: string): boolean {
  return /(?:^| )(?:pass ?(?:word|wd|phrase|wort)?|pwd)(?: |$)/.test(wordsOf(name))
}

/** `user[newPassword]` in words: `user new password`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()
}
