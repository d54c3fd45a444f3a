import { expect, test } from 'vitest'
import { runReverie } from '../support/run-reverie.ts'

test.each(['bash', 'zsh', 'fish', 'pwsh', 'powershell'])(
  'prints a completion script for %s',
  async (shell) => {
    const { code, stdout } = await runReverie(['completion', shell])

    expect(code).toBe(0)
    expect(stdout).toContain('reverie')
  },
)

test('no other shell is known', async () => {
  const { code, stderr } = await runReverie(['completion', 'tcsh', '--json'])

  expect(code).toBe(2)
  expect(JSON.parse(stderr)).toEqual({
    error: 'there is no completion for tcsh; the shells are bash, zsh, fish, pwsh',
    code: 'usage',
    hint: 'reverie completion --help',
  })
})

test('the script is answered with the commands that fit', async () => {
  expect((await runReverie(['complete', '--', 'rem'])).stdout).toContain('remember\t')
  expect((await runReverie(['complete', '--', 'agents', ''])).stdout).toContain('create\t')
})

test('the help lists completion among the commands', async () => {
  expect((await runReverie(['--help'])).stdout).toMatch(/^ {2}completion <shell> .*bash/m)
  expect((await runReverie(['completion'])).code).toBe(2)
})
