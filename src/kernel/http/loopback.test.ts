import { expect, test } from 'vitest'
import { assertSafeBind } from './loopback.ts'

test.each([
  ['0.0.0.0', 'local', true],
  ['192.0.2.7', 'local', true],
  ['::', 'local', true],
  ['127.0.0.1', 'local', false],
  ['::1', 'local', false],
  ['localhost', 'local', false],
  ['0.0.0.0', 'team', false],
  ['0.0.0.0', 'hybrid', false],
] as const)('refuses to listen on %s in mode %s: %s', (host, mode, refused) => {
  const bind = () => assertSafeBind(host, mode)

  if (refused) expect(bind).toThrow(`SVC_HOST=${host} opens the service to the network`)
  else expect(bind).not.toThrow()
})
