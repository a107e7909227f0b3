/** The browser asked the person and got no passkey; it does not tell whether they refused or have none. */
export class NoPasskey extends Error {
  override name = 'NoPasskey'
}
