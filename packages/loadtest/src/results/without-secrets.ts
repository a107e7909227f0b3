import { redacted } from '../text/redactor.ts'
import { isPassword, soundsSecret } from '../text/secret-names.ts'

const scheme = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{4,}/gi
const userInfo = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@]{1,400}@/gi
/** `password=`, `"token": "`, `X-Api-Key: ` */
const beforeValue = /([\w.[\]-]{1,80})"?\s{0,10}[=:]\s{0,10}"?/g
const value = /[^\s&;,"'<>{}]+/y

/** A text that others wrote, without the values of whatever is called as secrets are. */
export function withoutSecrets(text: string): string {
  const plain = text.replaceAll(scheme, `$1 ${redacted}`).replaceAll(userInfo, '$1')
  const parts: string[] = []
  let end = 0
  for (const found of plain.matchAll(beforeValue)) {
    const [whole, name = ''] = found
    value.lastIndex = found.index + whole.length
    if (found.index < end || !(isPassword(name) || soundsSecret(name)) || !value.test(plain)) continue
    parts.push(plain.slice(end, found.index + whole.length), redacted)
    end = value.lastIndex
  }
  return parts.join('') + plain.slice(end)
}
