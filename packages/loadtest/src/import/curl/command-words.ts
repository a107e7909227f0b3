/** A word of a command line: what the shell gives to the program. */
export interface Word {
  /** `$NAME` of the shell is a part of its own, because it is known only there. */
  parts: ({ text: string } | { variable: string })[]
  /** Where it begins, from 1. */
  line: number
}

export interface Command {
  words: Word[]
  line: number
  /** What of it the shell would do, and nobody does here. */
  unread: { line: number; text: string }[]
}

const ansiEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/**
 * The commands in a text for a POSIX shell (https://www.gnu.org/software/bash/manual/html_node/Quoting.html), with the quotes
 * that browsers write: '…', "…" and $'…'. A shell that would run something else, `$(…)`, is told of and not obeyed.
 */
export function shellCommands(text: string): Command[] {
  return new ShellReader(text).read()
}

class ShellReader {
  readonly #text: string
  readonly #commands: Command[] = []
  #at = 0
  #line = 1
  #command: Command | undefined
  #word: Word | undefined

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n')
  }

  read(): Command[] {
    while (this.#at < this.#text.length) this.#readNext()
    this.#endCommand()
    return this.#commands
  }

  #readNext(): void {
    const char = this.#text.charAt(this.#at)
    const next = this.#text.charAt(this.#at + 1)
    switch (char) {
      case '\\':
        this.#skip(2)
        // A line that goes on.
        if (next === '\n') this.#line++
        else this.#add(next)
        return
      case "'":
        this.#openWord()
        this.#skip(1)
        return this.#add(this.#until("'"))
      case '"':
        return this.#readDoubleQuoted()
      case '$':
        return this.#readDollar()
      case '\n':
        this.#skip(1)
        this.#endCommand()
        this.#line++
        return
      case ';':
      case '&':
      case '|':
        this.#skip(next === char ? 2 : 1)
        return this.#endCommand()
      case '<':
      case '>':
        return this.#readRedirection()
      case '`':
        this.#skip(1)
        return this.#unread(`\`${this.#until('`')}\``)
      case '#':
        if (this.#word !== undefined) break
        this.#skip(this.#lineRest().length)
        return
      case ' ':
      case '\t':
        this.#skip(1)
        this.#word = undefined
        return
      default:
    }
    // As much at once as means nothing else.
    const plain = /^[^\\'"$\n;&|<>`# \t]+/.exec(this.#text.slice(this.#at, this.#at + 1000))?.[0] ?? char
    this.#skip(plain.length)
    this.#add(plain)
  }

  #readDoubleQuoted(): void {
    this.#openWord()
    this.#skip(1)
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at)
      const next = this.#text.charAt(this.#at + 1)
      if (char === '"') return this.#skip(1)
      if (char === '\\' && next === '\n') {
        this.#skip(2)
        this.#line++
      } else if (char === '\\' && '"\\$`'.includes(next) && next !== '') {
        this.#skip(2)
        this.#add(next)
      } else if (char === '$') this.#readDollar(true)
      else {
        const plain = /^[^"\\$]+/.exec(this.#text.slice(this.#at, this.#at + 10_000))?.[0] ?? char
        this.#skip(plain.length)
        this.#countLines(plain)
        this.#add(plain)
      }
    }
  }

  #readDollar(isQuoted = false): void {
    const rest = this.#text.slice(this.#at, this.#at + 200)
    const name = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/.exec(rest)
    if (name !== null) {
      this.#skip(name[0].length)
      this.#openWord().parts.push({ variable: name[1] ?? name[2]! })
    } else if (!isQuoted && rest.startsWith("$'")) {
      this.#openWord()
      this.#skip(2)
      this.#readAnsi()
    } else if (rest.startsWith('$(')) {
      const end = this.#text.indexOf(')', this.#at)
      const text = this.#text.slice(this.#at, end === -1 ? undefined : end + 1)
      this.#skip(text.length)
      this.#countLines(text)
      this.#unread(text)
    } else {
      // $"…" is "…" in another language.
      this.#skip(1)
      if (isQuoted || !rest.startsWith('$"')) this.#add('$')
    }
  }

  /** `$'it\'s\n'` */
  #readAnsi(): void {
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at)
      this.#skip(1)
      if (char === "'") return
      if (char !== '\\') {
        this.#countLines(char)
        this.#add(char)
        continue
      }
      const rest = this.#text.slice(this.#at, this.#at + 10)
      const code = /^(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3}))/i.exec(rest)
      if (code === null) {
        const next = rest.charAt(0)
        this.#skip(1)
        this.#countLines(next)
        this.#add(ansiEscapes[next] ?? next)
        continue
      }
      this.#skip(code[0].length)
      const point =
        code[4] === undefined ? parseInt(code[1] ?? code[2] ?? code[3]!, 16) : parseInt(code[4], 8)
      this.#add(point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
    }
  }

  /** `> file`, `2>&1`: what is done with the answer. */
  #readRedirection(): void {
    const found = /^[<>]{1,3}&?[ \t]*[^\s;&|<>]*/.exec(this.#text.slice(this.#at, this.#at + 1000))![0]
    this.#skip(found.length)
    // The number before it says which stream.
    const last = this.#word?.parts.at(-1)
    if (this.#word?.parts.length === 1 && last !== undefined && 'text' in last && /^[012]$/.test(last.text))
      this.#command?.words.pop()
    this.#word = undefined
    this.#command ??= this.#newCommand()
    this.#command.unread.push({ line: this.#line, text: found })
  }

  #unread(text: string): void {
    this.#openWord()
    this.#command!.unread.push({ line: this.#line, text: text.slice(0, 200) })
  }

  #openWord(): Word {
    this.#command ??= this.#newCommand()
    if (this.#word === undefined) {
      this.#word = { parts: [], line: this.#line }
      this.#command.words.push(this.#word)
    }
    return this.#word
  }

  #newCommand(): Command {
    const command = { words: [], line: this.#line, unread: [] }
    this.#commands.push(command)
    return command
  }

  #endCommand(): void {
    this.#command = undefined
    this.#word = undefined
  }

  #add(text: string): void {
    const { parts } = this.#openWord()
    const last = parts.at(-1)
    if (last !== undefined && 'text' in last) last.text += text
    else parts.push({ text })
  }

  #skip(count: number): void {
    this.#at += count
  }

  #until(end: string): string {
    const found = this.#text.indexOf(end, this.#at)
    const text = this.#text.slice(this.#at, found === -1 ? undefined : found)
    this.#skip(text.length + 1)
    this.#countLines(text)
    return text
  }

  #lineRest(): string {
    const end = this.#text.indexOf('\n', this.#at)
    return this.#text.slice(this.#at, end === -1 ? undefined : end)
  }

  #countLines(text: string): void {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#line++
  }
}

/** Whether a text is written for cmd.exe, where ^ is what \ is elsewhere. */
export function isForWindows(text: string): boolean {
  return /\^\r?\n|\^"/.test(text)
}

/**
 * The commands in a text for cmd.exe, as browsers copy them as "cURL (cmd)": ^ makes the next character plain and lines go on
 * behind it; then quotes and \" count as programs of Windows read their arguments
 * (https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments).
 */
export function windowsCommands(text: string): Command[] {
  const commands: Command[] = []
  let command: Command | undefined
  let word: Word | undefined
  let isQuoted = false
  let line = 1
  const add = (piece: string): void => {
    if (command === undefined) commands.push((command = { words: [], line, unread: [] }))
    if (word === undefined) command.words.push((word = { parts: [{ text: '' }], line }))
    const [only] = word.parts
    if (only !== undefined && 'text' in only) only.text += piece
  }
  const source = text.replaceAll('\r\n', '\n')
  for (let at = 0; at < source.length; at++) {
    let char = source.charAt(at)
    let isPlain = false
    if (char === '^') {
      at++
      char = source.charAt(at)
      if (char === '\n') {
        // What comes behind the line's end is plain, also another end of line.
        line++
        if (source.charAt(at + 1) !== '\n') continue
        at++
        line++
        add('\n')
        continue
      }
      isPlain = char !== '"'
    }
    if (char === '\\') {
      const slashes = /^(?:\^?\\)+/.exec(source.slice(at, at + 1000))![0]
      const count = slashes.replaceAll('^', '').length
      const behind = /^\^?"/.exec(source.slice(at + slashes.length, at + slashes.length + 2))?.[0]
      at += slashes.length - 1
      if (behind === undefined) add('\\'.repeat(count))
      else {
        add('\\'.repeat(Math.floor(count / 2)))
        if (count % 2 === 1) {
          add('"')
          at += behind.length
        }
      }
    } else if (char === '"' && !isPlain) {
      add('')
      // "" inside of quotes is one.
      const twice = isQuoted ? /^"\^?"/.exec(source.slice(at, at + 3))?.[0] : undefined
      if (twice !== undefined) {
        add('"')
        at += twice.length - 1
      } else isQuoted = !isQuoted
    } else if (char === '\n') {
      line++
      if (isQuoted) add('\n')
      else command = word = undefined
    } else if ((char === ' ' || char === '\t') && !isQuoted) word = undefined
    else if ((char === '&' || char === '|') && !isQuoted && !isPlain) command = word = undefined
    else add(char)
  }
  return commands
}
