import { expect, test } from 'vitest'
import { toBoundNames, toOwnUrl } from './daemon-file.ts'

test.each([
  ['0.0.0.0', 'http://0.0.0.0:3850', 'http://127.0.0.1:3850', []],
  ['::', 'http://[::]:3850', 'http://127.0.0.1:3850', []],
  ['0:0::0', 'http://[::]:3850', 'http://127.0.0.1:3850', []],
  ['127.0.0.1', 'http://127.0.0.1:3850', 'http://127.0.0.1:3850', ['127.0.0.1']],
  ['localhost', 'http://[::1]:3850', 'http://[::1]:3850', ['localhost']],
  ['192.0.2.7', 'http://192.0.2.7:80', 'http://192.0.2.7', ['192.0.2.7']],
  ['2001:DB8::7', 'http://[2001:db8::7]:3850', 'http://[2001:db8::7]:3850', ['[2001:db8::7]']],
  ['memory.example', 'http://192.0.2.7:3850', 'http://memory.example:3850', ['memory.example']],
])('a daemon bound to %s with host %s is reachable at %s', (host, bound, url, names) => {
  expect(toOwnUrl(bound, host)).toBe(url)
  expect(toBoundNames(host)).toEqual(names)
})
