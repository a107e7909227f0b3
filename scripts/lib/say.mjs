/**
 * For the person at the terminal. On standard error, so that `--json` output stays clean.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/**
 * Ends the script with a message and what to do.
 * @param {string} text
 * @returns {never}
 */
export function giveUp(text) {
  say(`\n${text}`)
  process.exit(1)
}
