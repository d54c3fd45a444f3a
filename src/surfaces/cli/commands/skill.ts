import { mkdir, readlink, symlink, unlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Client } from '../../../client/client.ts'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import { exists } from '../../../kernel/files/optional-files.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { confirm } from '../prompts.ts'

/** The folders from which harnesses load skills, relative to the home folder. */
const folders: Readonly<Record<string, string>> = {
  'claude-code': join('.claude', 'skills'),
  codex: join('.agents', 'skills'),
  gemini: join('.agents', 'skills'),
  cursor: join('.agents', 'skills'),
  opencode: join('.agents', 'skills'),
}

interface InstallOptions {
  readonly source?: string
}

/** The download and the checks of a package take longer than other requests. */
const installTimeoutMs = 90_000

export const installSkill = command<InstallOptions>({
  usage: 'skill install <name>',
  summary: 'Install a skill from a package, a folder or an archive',
  options: [
    option(
      '--source <source>',
      'a package, `owner/repository`, or a folder, a .tar.gz or a .tgz; default: the name',
    ),
  ],
  examples: [
    'reverie skill install dig --source "$PWD/dig"',
    'reverie skill install dig --source ./dig',
  ],
  run: install,
})

async function install(call: Call<InstallOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [name = ''] = args
  if (options.source === undefined && /[/\\]/.test(name)) {
    const hint = `Pass a name too: reverie skill install NAME --source ${toLine(name, 200)}`
    throw new CliError('usage', 'usage', `${toLine(name)} is a source, not a name`, hint)
  }
  const client = await connect()
  // The daemon runs in another folder.
  const source = options.source?.startsWith('.') ? resolve(options.source) : options.source
  const body = { name, ...(source !== undefined && { source }) }
  const reply = await client.call('POST /api/skills/install', { body, timeoutMs: installTimeoutMs })
  output.result(reply, () => `${colors.green('✓')} Installed ${toLine(name)}`)
}

interface LinkOptions {
  readonly harness: string
}

const harness = option('--harness <name>', 'the harness that loads the skill', {
  choices: Object.keys(folders),
  isRequired: true,
})

export const linkSkill = command<LinkOptions>({
  usage: 'skill link <name>',
  summary: 'Link a skill into the folder of a harness on this machine',
  options: [harness],
  examples: ['reverie skill link dig --harness claude-code'],
  run: async ({ args: [name = ''], options, output, connect }) => {
    const target = await findSkillFolder(await connect(), name)
    const link = toLink(options.harness, name)
    const isNew = await makeLink(target, link)
    const state = isNew ? 'linked' : 'unchanged'
    output.result(
      { name, link, state },
      () => `${colors.green('✓')} ${toLine(link, 500)} (${state})`,
    )
  },
})

export const unlinkSkill = command<LinkOptions>({
  usage: 'skill unlink <name>',
  summary: 'Remove the link to a skill from the folder of a harness',
  options: [harness],
  examples: ['reverie skill unlink dig --harness claude-code'],
  run: async ({ args: [name = ''], options, output, environment }) => {
    const link = toLink(options.harness, name)
    const isRemoved = await removeLink(link, join(environment.workspace, 'skills', name))
    const text = isRemoved ? 'Removed' : 'There is no link of Reverie at'
    output.result({ name, link, removed: isRemoved }, () => `${text} ${toLine(link, 500)}`)
  },
})

interface UninstallOptions {
  readonly yes?: boolean
}

export const uninstallSkill = command<UninstallOptions>({
  usage: 'skill uninstall <name>',
  summary: 'Remove a skill, and its links in the folders of harnesses',
  options: [option('-y, --yes', 'do not ask for confirmation')],
  examples: ['reverie skill uninstall dig --yes'],
  run: uninstall,
})

async function uninstall(call: Call<UninstallOptions>): Promise<void> {
  const { args, output, connect } = call
  const [name = ''] = args
  const client = await connect()
  const folder = await findSkillFolder(client, name)
  await confirm(call, {
    message: `Remove the skill ${toLine(name)}?`,
    refusal: 'the command needs a confirmation; nothing was changed',
    hint: 'Pass --yes.',
    declined: 'Nothing was changed.',
  })
  const reply = await client.call('DELETE /api/skills/:name', { path: { name } })
  const links = [...new Set(Object.keys(folders).map((one) => toLink(one, name)))]
  const removed = await Promise.all(links.map((link) => removeLink(link, folder)))
  const count = removed.filter(Boolean).length
  const also = count === 0 ? '' : ` and ${count} ${count === 1 ? 'link' : 'links'}`
  output.result(reply, () => `${colors.green('✓')} Removed ${toLine(name)}${also}`)
}

async function findSkillFolder(client: Client, name: string): Promise<string> {
  const { path } = Object(await client.call('GET /api/skills/:name', { path: { name } }))
  return String(path)
}

function toLink(harnessName: string, name: string): string {
  return join(homedir(), folders[harnessName] ?? '', name)
}

/** Returns false for a link that exists. Anything else at the path is not touched. */
async function makeLink(target: string, link: string): Promise<boolean> {
  if (!(await exists(target))) {
    const hint = 'Run this command on the machine of the daemon.'
    throw new CliError('not_found', 'not_found', `There is no folder ${toLine(target, 500)}`, hint)
  }
  if ((await readLink(link)) === target) return false
  if (await exists(link)) {
    const hint = 'Move it away, then link the skill again.'
    const message = `${toLine(link, 500)} exists, and is no link of Reverie`
    throw new CliError('conflict', 'conflict', message, hint)
  }
  await mkdir(dirname(link), { recursive: true })
  // Windows lets every user create a junction.
  await symlink(target, link, 'junction')
  return true
}

/** Removes only a link to this folder. */
async function removeLink(link: string, target: string): Promise<boolean> {
  if ((await readLink(link)) !== target) return false
  await unlink(link)
  return true
}

async function readLink(path: string): Promise<string | undefined> {
  try {
    return (await readlink(path)).replace(/[\\/]$/, '')
  } catch (error) {
    if (['ENOENT', 'EINVAL', 'ENOTDIR'].some((code) => hasCode(error, code))) return undefined
    throw error
  }
}
