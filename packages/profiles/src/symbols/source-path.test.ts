import { expect, test } from 'vitest'
import { sourcePath } from './source-path.ts'

test.each<[source: string, location: string, root: string | undefined, path: string]>([
  ['../src/server.ts', 'dist/main.js.map', undefined, 'src/server.ts'],
  ['../src/server.ts', 'dist/main.js.map', '', 'src/server.ts'],
  ['server.ts', 'dist/main.js.map', '../src/', 'src/server.ts'],
  ['../../shared/a.ts', 'dist/main.js.map', undefined, '../shared/a.ts'],
  ['../src/server.ts', '/home/me/shop/dist/main.js.map', undefined, '/home/me/shop/src/server.ts'],
  ['../src/a%20b.ts', 'file:///app/dist/main.js.map', undefined, '/app/src/a b.ts'],
  ['../src/server.ts', 'file:///C:/app/dist/main.js.map', undefined, 'C:/app/src/server.ts'],
  ['..\\src\\server.ts', 'C:/app/dist/main.js.map', undefined, 'C:/app/src/server.ts'],
  ['/app/src/server.ts', 'dist/main.js.map', '/elsewhere', '/app/src/server.ts'],
  ['../src/a.ts', 'https://shop.example/assets/a.js.map', undefined, 'https://shop.example/src/a.ts'],
  ['a.ts', 'assets/a.js.map', 'https://shop.example/src', 'https://shop.example/src/a.ts'],
  ['webpack://shop/./src/server.ts?1f3a', 'dist/main.js.map', undefined, 'src/server.ts'],
  ['webpack:///node_modules/left-pad/index.js', 'dist/a.js.map', undefined, 'node_modules/left-pad/index.js'],
  ['./src/server.ts', 'dist/main.js.map', 'webpack:///', 'src/server.ts'],
  ['turbopack:///[project]/src/server.ts', 'dist/main.js.map', undefined, 'src/server.ts'],
  ['\0rolldown/runtime.js', 'dist/main.js.map', undefined, 'dist/rolldown/runtime.js'],
])('the source %s of %s (root %s) is %s', (source, location, root, path) => {
  expect(sourcePath(source, location, root)).toBe(path)
})
