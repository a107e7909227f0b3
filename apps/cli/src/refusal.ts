/** What was refused, in words for people that need nothing added. Each command has kinds of its own. */
export class Refusal extends Error {
  override name = 'Refusal'
}
