import { statusComponents, type Incident, type StatusStore } from '@flamegate/operations/ports'
import { ConfigError } from '@flamegate/runtime'

/**
 * What a person has to say on the status page: `open <part> <title> [words]`, `list`, `update <id> <words>`, `close <id>`.
 * @throws ConfigError for anything else
 */
export async function changeIncidents(
  status: StatusStore,
  [verb, ...words]: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const [first, second, third] = words
  // More of them are words of one sentence without its quotation marks, of which the rest would be lost.
  if (words.length > wordsMax(verb)) throw notUnderstood()
  if (verb === 'list') {
    const incidents = await status.listIncidents({ limit: 50 })
    if (incidents.length === 0) say('There was none in the last 90 days.')
    for (const incident of incidents) say(lineOf(incident))
    return
  }
  if (verb === 'open' && first !== undefined && second !== undefined) {
    const component = statusComponents.find((each) => each === first)
    if (component === undefined) {
      throw new ConfigError(`There is no part ${first}. There are: ${statusComponents.join(', ')}.`)
    }
    say(await status.open({ component, title: second, message: third ?? null }))
    return
  }
  if (first !== undefined && ((verb === 'update' && second !== undefined) || verb === 'close')) {
    const isThere = await status.update(first, {
      isEnded: verb === 'close',
      ...(second === undefined ? {} : { message: second }),
    })
    if (!isThere) throw new ConfigError(`There is no incident ${first}. \`incident list\` shows all.`)
    say(verb === 'close' ? `${first} is over.` : `${first} says so now.`)
    return
  }
  throw notUnderstood()
}

function wordsMax(verb: string | undefined): number {
  return verb === 'open' ? 3 : verb === 'list' ? 0 : 2
}

function notUnderstood(): ConfigError {
  return new ConfigError(
    'Say incident list, incident open <part> <title> [words], incident update <id> <words>, or incident close <id> [words]. Put a title, and words, in quotation marks.',
  )
}

function lineOf({ id, component, title, beganAt, endedAt }: Incident): string {
  return `${id}  ${beganAt.toISOString()}  ${endedAt?.toISOString() ?? 'lasts'}  ${component}: ${title}`
}
