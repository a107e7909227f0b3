import { expect, test } from 'vitest'
import { repositoryOfUrl } from './repository-url.ts'

test.each([
  ['git@github.com:acme/checkout.git', 'acme/checkout'],
  ['https://github.com/acme/checkout', 'acme/checkout'],
  ['https://user:secret@gitlab.example/acme/checkout.git/', 'acme/checkout'],
  ['ssh://git@host.example:2222/acme/checkout.git', 'acme/checkout'],
  ['git@gitlab.example:group/sub/checkout.git', 'group/sub/checkout'],
  ['/srv/git/checkout.git', undefined],
  ['file:///srv/git/checkout.git', undefined],
  ['', undefined],
  [undefined, undefined],
])('repositoryOfUrl(%s) is %s', (url, repository) => {
  expect(repositoryOfUrl(url)).toBe(repository)
})
