/** Whether a variable of this name is better kept as a secret. */
export function soundsSecret(name: string): boolean {
  return /passw|passphrase|pwd|secret|token|api[-_ ]?key|credential|authorization/i.test(name)
}

/** Whether a field of this name is for a password: `user[newPassword]`, `userpassword`, `pwd`. */
export function isPassword(name: string): boolean {
  return /(?:^| )(?:pass ?(?:word|wd|phrase|wort|code)?|pwd|pw|[a-z]*passw(?:or)?d)(?: |$)/.test(
    wordsOf(name),
  )
}

/** `user[newPassword]` in words: `user new password`; `SWEPassword`: `swe password`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replaceAll(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()
}
