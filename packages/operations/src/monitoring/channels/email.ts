import { inOneLine, type Notice } from './notice.ts'

/** A letter: what is kept of it for all attempts. */
export interface Letter {
  subject: string
  text: string
}

export function letterOf({ title, words, facts, link }: Notice): Letter {
  return {
    subject: inOneLine(title),
    text: `${[
      title,
      ...(words === '' ? [] : [words]),
      facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
      `${link.label}:\n${link.url}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')}\n`,
  }
}
