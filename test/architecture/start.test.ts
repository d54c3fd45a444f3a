import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }

test('the daemon is given the same room in the background as by npm start', async () => {
  const inBackground = await readFile('src/surfaces/cli/commands/start-run.ts', 'utf8')
  const flags = about.scripts.start.split(' ').filter((word) => word.startsWith('--max'))

  expect(flags).toHaveLength(1)
  expect(inBackground).toContain(`'${flags[0]}'`)
})
