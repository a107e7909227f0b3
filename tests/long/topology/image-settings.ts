import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** What a container of an image is started with, unless it is told something else. */
export interface ImageSettings {
  env: Record<string, string>
  entrypoint: string[]
  command: string[]
  user: string
}

const list = z.array(z.string())

/** The stages of a Dockerfile by name, each with what it has from the one it stands on. */
export function readImageSettings(path: string): Map<string, ImageSettings> {
  const stages = new Map<string, ImageSettings>()
  let stage: ImageSettings = { env: {}, entrypoint: [], command: [], user: 'root' }
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  for (const line of lines) {
    const [, instruction, rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (instruction === 'FROM') {
      const [, from = '', name = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? []
      const below = stages.get(from)
      stage = { entrypoint: [], command: [], user: 'root', ...below, env: { ...below?.env } }
      stages.set(name, stage)
    } else if (instruction === 'ENV') {
      for (const pair of rest.split(/\s+/)) {
        const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(pair) ?? []
        stage.env[name] = value
      }
    } else if (instruction === 'CMD') stage.command = list.parse(JSON.parse(rest))
    else if (instruction === 'ENTRYPOINT') stage.entrypoint = list.parse(JSON.parse(rest))
    else if (instruction === 'USER') stage.user = rest
  }
  return stages
}
