import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'

export const readGuide = implement(operations.readGuide)((input, { deps }) => {
  const others = deps.guides.map((each) => each.name)
  const guide = deps.guides.find((each) => each.name === input.name)
  if (guide === undefined) {
    throw new Problem('guide_not_found', `There is no guide ${input.name}. There are: ${others.join(', ')}.`)
  }
  return Promise.resolve({
    name: guide.name,
    title: guide.title,
    description: guide.description,
    media_type: guide.mediaType,
    text: guide.text,
    others,
    public_url: guide.publicUrl,
  })
})
