/** Names and values, in the order in which they are sent. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** One request, with all its variables filled in. */
export interface HttpRequestToSend {
  method: string
  /** Without fragment, user name and password. */
  url: URL
  headers: HeaderList
  body: Buffer | null
}

export function headerOf(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([each]) => each.toLowerCase() === wanted)?.[1]
}

export function withoutHeaders(headers: HeaderList, names: RegExp): HeaderList {
  return headers.filter(([name]) => !names.test(name))
}

/** They frame the message or belong to one connection; recordings have them, and they are made anew. */
export const framingHeaders =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|http2-settings|proxy-.*|:.*)$/i
