/** Texts of the formats that JSON Schema defines; what it does not define is only a remark. */
export function textOfFormat(format: string, random: () => number): string | undefined {
  const digit = (count: number) => Math.floor(random() * count)
  const date = () => `20${two(10 + digit(16))}-${two(1 + digit(12))}-${two(1 + digit(28))}`
  const time = () => `${two(digit(24))}:${two(digit(60))}:${two(digit(60))}Z`
  const hex = (count: number) => Array.from({ length: count }, () => digit(16).toString(16)).join('')
  switch (format) {
    case 'date-time':
      return `${date()}T${time()}`
    case 'date':
      return date()
    case 'time':
      return time()
    case 'duration':
      return `PT${1 + digit(59)}M`
    case 'email':
    case 'idn-email':
      return `user${digit(1000)}@example.com`
    case 'hostname':
    case 'idn-hostname':
      return `host${digit(1000)}.example.com`
    case 'ipv4':
      // Of the block for documentation: nobody is there (RFC 5737).
      return `192.0.2.${1 + digit(254)}`
    case 'ipv6':
      return `2001:db8::${1 + digit(9999)}`
    case 'uri':
    case 'iri':
    case 'url':
      return `https://example.com/${digit(1000)}`
    case 'uri-reference':
    case 'iri-reference':
    case 'uri-template':
      return `/items/${digit(1000)}`
    case 'uuid':
      return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
    case 'json-pointer':
      return `/items/${digit(10)}`
    case 'relative-json-pointer':
      return '0'
    case 'regex':
      return '^[a-z]+$'
    case 'byte':
      return 'ZXhhbXBsZQ=='
    default:
      return undefined
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
