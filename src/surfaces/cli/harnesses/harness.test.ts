import { expect, test } from 'vitest'
import { isOurHook } from './harness.ts'

const event = 'hook session-start -H claude-code'

test.each([
  [`reverie ${event}`, true],
  [`/opt/reverie/bin/reverie ${event}`, true],
  [`node C:\\reverie\\bin\\reverie ${event}`, true],
  [`'/opt/the tea'\\''s/reverie' ${event}`, true],
  [`/opt/n/bin/node /opt/reverie/dist/hook.cjs ${event}`, true],
  [`'/opt/a b/node' '/opt/a b/dist/hook.cjs' ${event}`, true],
  [`"C:\\a b\\node.exe" "C:\\a b\\dist\\hook.cjs" ${event}`, true],
  [`mine.sh ${event}`, false],
  [`/opt/notreverie ${event}`, false],
  [`node /opt/other/hook.cjs ${event}`, false],
  [`/opt/deno /opt/reverie/dist/hook.cjs ${event}`, false],
  [`/opt/n/bin/node /opt/reverie/dist/hook.cjs ${event} && rm x`, false],
  [`rm x; /opt/n/bin/node /opt/reverie/dist/hook.cjs ${event}`, false],
])('%s is a hook that install writes: %s', (command, expected) => {
  expect(isOurHook({ command })).toBe(expected)
})
