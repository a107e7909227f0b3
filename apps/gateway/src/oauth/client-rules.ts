import { errors } from 'oidc-provider'

/** More than any client has, and few enough to look through at every request. */
const mostRedirects = 30
const maxTextLength = 2_048

/**
 * Schemes that a browser or an operating system answers itself: whoever registers one wants something to be opened and
 * not an answer to be received. An app's own scheme, such as `cursor:` or `com.example.app:`, is none of these.
 */
const systemSchemes = new Set(
  [
    'about blob chrome data edge feed file filesystem ftp ftps git gopher intent irc jar javascript ldap',
    'ldaps mailto mms news nfs nntp res resource rtsp search search-ms sftp shell sip sips smb sms ssh',
    'tel telnet vbscript view-source vnc webcal ws wss x-apple.systempreferences',
  ]
    .join(' ')
    .split(' '),
)

/**
 * What no client may have in its metadata, however it came: registered, changed, or published at an address.
 * @throws InvalidClientMetadata in the words of RFC 7591, 3.2.2
 */
export function checkClientMetadata(metadata: object): void {
  const { redirect_uris: redirects }: { redirect_uris?: unknown } = metadata
  if (Array.isArray(redirects)) {
    if (redirects.length > mostRedirects) {
      throw new errors.InvalidClientMetadata(`redirect_uris must be at most ${mostRedirects}`)
    }
    for (const redirect of redirects) checkScheme(String(redirect))
  }
  for (const [name, value] of Object.entries(metadata)) {
    if (hasLongText(value)) {
      throw new errors.InvalidClientMetadata(`${name} must have at most ${maxTextLength} characters`)
    }
  }
}

function checkScheme(redirect: string): void {
  const scheme = URL.parse(redirect)?.protocol.slice(0, -1) ?? ''
  // Windows opens settings, shops and worse by schemes of this form.
  if (systemSchemes.has(scheme) || scheme.startsWith('ms-')) {
    throw new errors.InvalidClientMetadata(`redirect_uris must not use the ${scheme} URI scheme`)
  }
}

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > maxTextLength
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongText)
}
