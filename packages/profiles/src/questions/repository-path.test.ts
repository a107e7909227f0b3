import { expect, test } from 'vitest'
import { repositoryPath } from './repository-path.ts'

test.each<[where: string, file: string, path: string]>([
  ['GitHub Actions', '/home/runner/work/shop/shop/src/cart.ts', 'src/cart.ts'],
  ['a container of GitHub Actions', '/__w/shop/shop/src/cart.ts', 'src/cart.ts'],
  ['GitHub Actions on Windows', 'D:\\a\\shop\\shop\\src\\cart.ts', 'src/cart.ts'],
  ['Node on Windows', 'file:///D:/a/shop/shop/src/cart.ts', 'src/cart.ts'],
  ['a file at the top', '/home/runner/work/shop/shop/main.go', 'main.go'],
  ['GitLab CI', '/builds/acme/shop/src/cart.ts', 'src/cart.ts'],
  ['GitLab CI, side by side', '/builds/runner-1/0/acme/shop/src/cart.ts', 'src/cart.ts'],
  ['Bitbucket', '/opt/atlassian/pipelines/agent/build/src/cart.ts', 'src/cart.ts'],
  ['Go’s workspace', '/go/src/github.com/acme/shop/cart/cart.go', 'cart/cart.go'],
  ['Go with -trimpath', 'github.com/acme/shop/cart/cart.go', 'cart/cart.go'],
  ['a checkout of somebody', '/home/dev/code/shop/src/cart.ts', 'src/cart.ts'],
  ['a folder that is called as the repository', '/home/dev/shop/shop/cart.py', 'shop/cart.py'],
  ['Node', 'file:///usr/src/app/src/cart.mjs', 'src/cart.mjs'],
  ['webpack', 'webpack://shop/./src/cart.ts', 'src/cart.ts'],
  ['Rust', 'src/bin/main.rs', 'src/bin/main.rs'],
  ['sources of Java', 'src/main/java/com/acme/Cart.java', 'src/main/java/com/acme/Cart.java'],
])('%s: %s', (_where, file, path) => {
  expect(repositoryPath(file, 'acme/shop')).toBe(path)
})

test.each([
  'https://shop.example/static/app.js',
  'http://localhost:5173/src/cart.ts',
  'cart.ts',
  'com/acme/Cart.java',
  '/srv/www/src/cart.ts',
  '/usr/bin/server',
  '../other/cart.ts',
  '/builds/acme/shop/../../etc/cart.ts',
  'node:fs/promises.js',
  '<frozen importlib._bootstrap>',
  '',
])('nothing is told of %j', (file) => {
  expect(repositoryPath(file, 'acme/shop')).toBeUndefined()
})
