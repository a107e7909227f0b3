import type { Action } from '../../model/action.ts'
import { literal } from '../../model/template.ts'
import { type Address, splitAddress, withQuery } from '../address.ts'
import { withContentType } from '../content-type.ts'
import { projectPath } from '../file-paths.ts'
import { ImportDraft, type Told } from '../import-draft.ts'
import { type Importer, SourceError } from '../importer.ts'
import { readText } from '../read-source.ts'
import { type Command, isForWindows, shellCommands, windowsCommands, type Word } from './command-words.ts'
import { optionsOfCurl } from './curl-options.ts'
import { type Argument, readArguments } from './read-arguments.ts'
import { bodyOf, encodeField, newTransfer, type Transfer } from './transfer.ts'

const sourceBytesMax = 10_000_000
const hostCharactersMax = 300

/**
 * Imports command lines of curl, as a shell and as cmd.exe read them: each address becomes a request. Elements of the report:
 * addresses (`url`), options (`option`), commands that are not curl (`command`), assignments (`variable`), and what a shell would
 * do beside that (`shell`). Variables of the shell become variables.
 */
export const importCurl: Importer = async (source, options, context) => {
  const text = await readText(source, sourceBytesMax)
  const commands = isForWindows(text) ? windowsCommands(text) : shellCommands(text)
  const reader = new CurlReader(new ImportDraft('curl', context), options.baseUrl)
  const actions = commands.flatMap((command) => reader.read(command))
  if (!reader.hasCurl) throw new SourceError('There is no curl command in it.')
  reader.defineVariables()
  return reader.draft.finish(options.name ?? 'cURL', '', actions)
}

class CurlReader {
  readonly draft: ImportDraft
  readonly #baseUrl: string | undefined
  /** Names in the shell, ours, and their values where they are written. */
  readonly #variables = new Map<string, { name: string; value: string | null }>()
  hasCurl = false

  constructor(draft: ImportDraft, baseUrl: string | undefined) {
    this.draft = draft
    this.#baseUrl = baseUrl
  }

  read(command: Command): Action[] {
    const [first, ...others] = this.#withoutPrompt(command.words)
    const unread = (): void => {
      for (const { line, text } of command.unread)
        this.draft.dropped(
          { place: `line ${line}`, kind: 'shell', name: text },
          'It is for a shell, which is not run: put what it gives into a variable.',
        )
    }
    if (first === undefined) {
      unread()
      return []
    }
    const name = plainText(first)
    if (!/^(?:.*[/\\])?curl(?:\.exe)?$/i.test(name)) {
      if (!this.#readAssignments(command))
        this.draft.dropped({ place: `line ${command.line}`, kind: 'command', name }, 'It is no curl command.')
      unread()
      return []
    }
    this.hasCurl = true
    const actions: Action[] = []
    let transfer = newTransfer()
    for (const argument of readArguments(others)) {
      if (argument.option === 'next') {
        this.draft.told(this.#told(argument), null)
        actions.push(...this.#requests(transfer))
        transfer = newTransfer()
      } else this.#take(argument, transfer)
    }
    actions.push(...this.#requests(transfer, command.line))
    unread()
    return actions
  }

  /** Makes variables of what the shell knows. */
  defineVariables(): void {
    for (const [source, { name, value }] of this.#variables) {
      const description = 'Of the shell.'
      if (value !== null) {
        this.draft.variables.add({ type: 'constant', name, value, description })
        continue
      }
      const kind = this.draft.variables.addWithoutValue(name, source, description)
      this.draft.note(`What $${source} is, is known only in the shell: give the ${kind} ${name} a value.`)
    }
  }

  /** `$ curl …`, as it is shown in instructions. */
  #withoutPrompt(words: readonly Word[]): readonly Word[] {
    return words[0] !== undefined && /^[$>%]$/.test(plainText(words[0])) ? words.slice(1) : words
  }

  /** `TOKEN=abc`, `export TOKEN=abc`, `set TOKEN=abc` */
  #readAssignments({ words }: Command): boolean {
    const assigned = /^(?:export|set)$/.test(plainText(words[0]!)) ? words.slice(1) : words
    const pattern = /^([A-Za-z_]\w*)=/
    if (assigned.length === 0 || !assigned.every((word) => pattern.test(plainText(word)))) return false
    for (const word of assigned) {
      const [start, name] = pattern.exec(plainText(word))!
      const [first, ...parts] = word.parts
      const rest = first !== undefined && 'text' in first ? first.text.slice(start.length) : ''
      const value = this.#template({ ...word, parts: [{ text: rest }, ...parts] })
      this.#variables.set(name!, { name: this.#nameOf(name!), value })
      this.draft.told({ place: `line ${word.line}`, kind: 'variable', name: name! }, null)
    }
    return true
  }

  #take(argument: Argument, transfer: Transfer): void {
    const { option } = argument
    if (option === 'url') return void transfer.urls.push(argument)
    const told = this.#told(argument)
    if (argument.isCut) return this.draft.dropped(told, 'Its value is missing.')
    const value = argument.value === null ? '' : this.#template(argument.value)
    const taken = (...notes: string[]): void => transfer.inner.add(told, notes)
    switch (option) {
      case 'request':
        transfer.method = value
        return taken()
      case 'header':
        return this.#takeHeader(value, transfer, told)
      case 'data':
      case 'data-ascii':
      case 'data-binary':
      case 'json':
      case 'data-raw': {
        transfer.isJson ||= option === 'json'
        if (option === 'data-raw' || !value.startsWith('@')) {
          transfer.data.push({ text: value, separator: option === 'json' ? '' : '&' })
          return taken()
        }
        transfer.file = projectPath(value.slice(1))
        return taken(fileNote(transfer.file))
      }
      case 'data-urlencode': {
        const equals = value.indexOf('=')
        const at = value.indexOf('@')
        if (at !== -1 && (equals === -1 || at < equals))
          return this.draft.dropped(told, 'It sends a file as a field: write its content into the body.')
        const [name, content] =
          equals === -1 ? ['', value] : [value.slice(0, equals), value.slice(equals + 1)]
        const encoded = encodeField(content)
        transfer.data.push({ text: name === '' ? encoded : `${name}=${encoded}`, separator: '&' })
        return taken()
      }
      case 'form':
      case 'form-string':
        return this.#takePart(value, option === 'form-string', transfer, told)
      case 'user': {
        const colon = value.indexOf(':')
        transfer.user =
          colon === -1
            ? { name: value, password: '' }
            : { name: value.slice(0, colon), password: value.slice(colon + 1) }
        return /^(?:\$\{[^}]*\})?$/.test(transfer.user.password)
          ? taken()
          : taken('A password stands in it as it is: put it into a secret variable.')
      }
      case 'basic':
        transfer.isDigest = false
        return taken()
      case 'digest':
        transfer.isDigest = true
        return taken()
      case 'oauth2-bearer':
        transfer.bearer = value
        return taken()
      case 'cookie':
        if (!value.includes('=') && !this.#mayBeCookies(argument.value))
          return this.draft.dropped(told, 'It is a file of cookies: a virtual user begins with none.')
        transfer.headers.push({ name: 'Cookie', value })
        return value.includes('=')
          ? taken()
          : taken('It is taken for cookies as they are sent, and for no file of them.')
      case 'user-agent':
        transfer.headers.push({ name: 'User-Agent', value })
        return taken()
      case 'referer':
        transfer.headers.push({ name: 'Referer', value: value.replace(/;auto$/, '') })
        return taken()
      case 'range':
        transfer.headers.push({ name: 'Range', value: `bytes=${value}` })
        return taken()
      case 'insecure':
        transfer.settings = { ...transfer.settings, tls: { verify: false } }
        return taken()
      case 'location':
      case 'location-trusted':
        transfer.follows = true
        return taken()
      case 'max-redirs':
        transfer.redirectsMax = Math.min(Math.max(Math.trunc(Number(value)) || 1, 1), 50)
        return taken()
      case 'get':
        transfer.sendsDataInQuery = true
        return taken()
      case 'head':
        transfer.isHead = true
        return taken()
      case 'url-query':
        transfer.query.push(value)
        return taken()
      case 'upload-file':
        transfer.method ??= 'PUT'
        transfer.file = projectPath(value)
        return taken(fileNote(transfer.file))
      case 'max-time':
      case 'connect-timeout': {
        const ms = Math.round(Number(value) * 1000)
        if (!(ms >= 1 && ms <= 600_000))
          return this.draft.dropped(told, 'It is no time of up to ten minutes.')
        if (option === 'max-time') transfer.timeoutMs = ms
        else transfer.settings = { ...transfer.settings, connect_timeout_ms: ms }
        return taken()
      }
      case 'http1.1':
      case 'http1.0':
        transfer.settings = { ...transfer.settings, http_version: 'http/1.1' }
        return option === 'http1.1' ? taken() : taken('HTTP/1.1 is spoken instead of 1.0.')
      case 'http2':
      case 'http2-prior-knowledge':
        transfer.settings = { ...transfer.settings, http_version: 'h2' }
        return taken()
      case 'http3':
      case 'http3-only':
        transfer.settings = { ...transfer.settings, http_version: 'h2' }
        return taken('HTTP/2 is spoken instead of HTTP/3.')
      default:
        if (optionsOfCurl.has(option)) return taken()
        return this.draft.dropped(told, 'This option is not known here, or cannot be done by a virtual user.')
    }
  }

  #takeHeader(value: string, transfer: Transfer, told: Told): void {
    // `Name;` sends the header without a value, `Name:` takes it away.
    const found = /^([^:;]+)(?::\s*(.*)|;\s*)$/s.exec(value)
    const name = found?.[1]?.trim() ?? ''
    if (found === null || name === '')
      return this.draft.dropped(told, value.startsWith('@') ? 'It is a file of headers.' : 'It is no header.')
    const content = found[2]?.trim() ?? ''
    if (found[2] !== undefined && content === '')
      return this.draft.dropped(told, 'It takes away a header that curl would send.')
    if (/^(?:host|content-length|connection|accept-encoding|transfer-encoding)$/i.test(name))
      return transfer.inner.add(told, ['It is left out: it is made when the request is sent.'])
    transfer.headers.push({ name, value: content })
    transfer.inner.add(told)
  }

  /** `name=value`, `name=@file;type=image/png;filename=x.png`, `name=<file` */
  #takePart(value: string, isText: boolean, transfer: Transfer, told: Told): void {
    const equals = value.indexOf('=')
    if (equals === -1) return this.draft.dropped(told, 'It is no field of a form.')
    const name = value.slice(0, equals)
    const content = value.slice(equals + 1)
    if (isText || !/^[@<]/.test(content)) {
      const type = isText ? null : /;type=([^;]+)$/.exec(content)
      transfer.parts.push({
        type: 'field',
        name,
        value: type === null ? content : content.slice(0, type.index),
        content_type: type?.[1]?.trim().slice(0, 200) ?? null,
      })
      return transfer.inner.add(told)
    }
    if (content.startsWith('<'))
      return this.draft.dropped(told, 'It sends a file as a field: write its content into the form.')
    const [file = '', ...settings] = content.slice(1).split(';')
    const setting = (wanted: string): string | undefined =>
      settings
        .map((each) => each.trim())
        .find((each) => each.startsWith(`${wanted}=`))
        ?.slice(wanted.length + 1)
        .replaceAll('"', '')
    const path = projectPath(file.replaceAll('"', ''))
    const contentType = setting('type')?.slice(0, 200)
    transfer.parts.push({
      type: 'file',
      name,
      path,
      file_name: setting('filename') ?? null,
      ...(contentType === undefined ? {} : { content_type: contentType }),
    })
    transfer.inner.add(told, [fileNote(path)])
  }

  /** `-b "$COOKIE"`: whether a file is meant, only the shell knows, unless the text says what the variable is. */
  #mayBeCookies(word: Word | null): boolean {
    const parts = word?.parts ?? []
    return (
      parts.some((part) => 'variable' in part) &&
      parts.every((part) =>
        'variable' in part
          ? (this.#variables.get(part.variable)?.value?.includes('=') ?? true)
          : /^[;\s]*$/.test(part.text),
      )
    )
  }

  #requests(transfer: Transfer, line?: number): Action[] {
    if (transfer.urls.length === 0) {
      transfer.inner.tell(this.draft, undefined)
      if (line !== undefined)
        this.draft.dropped({ place: `line ${line}`, kind: 'command', name: 'curl' }, 'It has no address.')
      return []
    }
    const actions = transfer.urls.flatMap((url) => this.#request(url, transfer) ?? [])
    transfer.inner.tell(this.draft, actions[0]?.id)
    return actions
  }

  #request(url: Argument, transfer: Transfer): Action | undefined {
    const written = url.value === null ? '' : this.#template(url.value).trim()
    const told = { place: `line ${url.line}`, kind: 'url', name: written }
    const own = this.#address(written)
    if (own === undefined) {
      this.draft.dropped(told, 'It is no address of http or https.')
      return undefined
    }
    const text = transfer.data
      .map((each, index) => (index === 0 ? each.text : each.separator + each.text))
      .join('')
    const hasData = transfer.data.length > 0
    const more = transfer.sendsDataInQuery ? [...transfer.query, text] : transfer.query
    const address = withQuery(own, more.join('&'))
    const headers = [...transfer.headers]
    const has = (name: string): boolean => headers.some((each) => each.name.toLowerCase() === name)
    if (transfer.isJson && !has('accept')) headers.push({ name: 'Accept', value: 'application/json' })
    const notes = /\{[^{}]*,[^{}]*\}|\[\w+-\w+/.test(written)
      ? ['curl would make several addresses of it: it is sent once, as it is written.']
      : []
    const body =
      transfer.sendsDataInQuery || transfer.isHead ? null : bodyOf(transfer, hasData ? text : null, has)
    if (transfer.file !== null && body?.type !== 'file')
      notes.push('The file that it sends is left out, because it sends something else, too.')
    const user = transfer.user ?? address.user
    const sendsBody = body !== null
    const method =
      transfer.method ?? (transfer.isHead ? 'HEAD' : sendsBody && !transfer.sendsDataInQuery ? 'POST' : 'GET')
    return this.draft.request(
      {
        name: `${method} ${address.path}`,
        method,
        address,
        settings: {
          ...transfer.settings,
          ...(transfer.bearer !== null
            ? { authentication: { type: 'bearer', token: transfer.bearer } }
            : user === null
              ? {}
              : {
                  authentication: {
                    type: transfer.isDigest ? 'digest' : 'basic',
                    user_name: user.name,
                    password: user.password,
                  },
                }),
        },
        ...withContentType(body, headers),
        followsRedirects: transfer.follows,
        ...(transfer.redirectsMax === null ? {} : { redirectsMax: transfer.redirectsMax }),
        timeoutMs: transfer.timeoutMs,
      },
      told,
      notes,
    )
  }

  /** The host is what the variables of the text say, because it must be known which host is loaded. */
  #address(written: string): Address | undefined {
    if (written === '' || /^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(written)) return undefined
    if (written.startsWith('/'))
      return this.#baseUrl === undefined
        ? undefined
        : splitAddress(`${this.#baseUrl.replace(/\/$/, '')}${written}`)
    const [, start = '', rest = ''] = /^((?:https?:\/\/)?[^/?#]*)(.*)$/is.exec(written) ?? []
    const known = start.replaceAll(/\$\{([\w.-]+)\}/g, (whole, name: string) => {
      const value = [...this.#variables.values()].find((each) => each.name === name)?.value
      return value === undefined || value === null || value.length > hostCharactersMax ? whole : value
    })
    return splitAddress(/^https?:\/\//i.test(known) ? known + rest : `http://${known}${rest}`)
  }

  /** A word with the variables of the shell as ours. */
  #template(word: Word): string {
    return word.parts
      .map((part) => ('text' in part ? literal(part.text) : `\${${this.#nameOf(part.variable)}}`))
      .join('')
  }

  #nameOf(variable: string): string {
    const known = this.#variables.get(variable)
    if (known !== undefined) return known.name
    const name = this.draft.variables.reserve(variable)
    this.#variables.set(variable, { name, value: null })
    return name
  }

  #told({ line, written }: Argument): Told {
    return { place: `line ${line}`, kind: 'option', name: written }
  }
}

function plainText({ parts: [first] }: Word): string {
  return first !== undefined && 'text' in first ? first.text : ''
}

function fileNote(path: string): string {
  return `The file is not in the command: upload it as ${path}.`
}
