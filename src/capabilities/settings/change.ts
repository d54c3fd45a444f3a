import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { aliases } from '../../kernel/config/aliases.ts'
import { editSetting, type SettingValue } from '../../kernel/config/edit-setting.ts'
import { valueAt } from '../../kernel/config/raw-settings.ts'
import { removeSetting } from '../../kernel/config/remove-setting.ts'
import type { UnknownSetting } from '../../kernel/config/settings.ts'
import { ConfigError, findSettings } from '../../kernel/config/workspace.ts'
import { replaceSettings } from '../../kernel/config/write-settings.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { maskSetting } from './mask.ts'
import type { SettingsNeeds } from './needs.ts'
import { hashText, parseSettings } from './read.ts'
import type { changeBody, changeReply } from './schemas.ts'

type ChangeRequest = z.output<typeof changeBody>
type ChangeReply = z.input<typeof changeReply>
type Change = ChangeRequest['changes'][number]

/** Set by operations of their own, which do more than write the file. */
const managedKeys: Readonly<Record<string, string>> = {
  'memory.pipelineV2.paused': '/api/pipeline/pause and /api/pipeline/resume',
}

/** Edits the settings file key by key. A dry run reports issues; a save refuses them. */
export async function changeSettings(
  needs: SettingsNeeds,
  { changes, hash, dryRun }: ChangeRequest,
): Promise<ChangeReply> {
  for (const { key } of changes) assertChangeable(needs, key)
  const { file, text } = await findSettings(needs.folder)
  if (dryRun) return { ...plan(needs, { file, text, hash, changes }).reply, saved: false }
  let reply: ChangeReply | undefined
  await replaceSettings(needs, (before) => {
    const planned = plan(needs, { file, text: before, hash, changes })
    assertValid(planned.reply.issues)
    reply = { ...planned.reply, saved: true, hash: hashText(planned.text) }
    return planned.text
  })
  await needs.config.reload()
  if (!reply) throw new Error('The settings file was not edited.')
  needs.log.info({ keys: changes.map(({ key }) => key) }, 'settings changed')
  return reply
}

function assertChangeable({ config }: SettingsNeeds, key: string): void {
  const heldSetting = config.current().heldSettings.find(({ setting }) => overlaps(setting, key))
  if (heldSetting) {
    const message = `${heldSetting.variable} sets ${heldSetting.setting}. Unset the variable and restart the daemon.`
    throw new Refusal('conflict', 'setting_held', message, { ...heldSetting, value: undefined })
  }
  const managed = Object.entries(managedKeys).find(([name]) => overlaps(name, key))
  if (!managed) return
  const message = `${managed[0]} is set by ${managed[1]}. Change the other settings one by one.`
  throw new Refusal('conflict', 'pipeline_setting', message)
}

interface Plan {
  readonly file: string
  readonly text: string
  readonly hash: string
  readonly changes: readonly Change[]
}

function plan(needs: SettingsNeeds, { file, text, hash, changes }: Plan) {
  if (hashText(text) !== hash) {
    const message = 'The settings file has changed. Read the settings again.'
    throw new Refusal('conflict', 'settings_changed', message, { hash: hashText(text) })
  }
  const fileValues = parseSettings(file, text)
  const edited = applyAll(text, changes)
  const report = needs.config.examine(file, edited.text)
  const editedValues = parseSettings(file, edited.text)
  const diff = changes
    .map(({ key }) => ({
      key,
      before: valueAt(fileValues, key),
      after: valueAt(editedValues, key),
    }))
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
    .map(({ key, before, after }) => ({
      key,
      before: maskSetting(key, before),
      after: maskSetting(key, after),
    }))
  const isChanged = (name: string) => changes.some(({ key }) => overlaps(name, key))
  const issues = [
    ...edited.issues,
    ...report.issues.map((issue) => ({ ...issue, code: 'invalid_value' as const })),
    ...report.unknownSettings.filter(({ key }) => isChanged(key)).map(toUnknownIssue),
  ]
  const restartRequired = report.waiting.filter(isChanged)
  return {
    text: edited.text,
    reply: { diff, issues, restartRequired, hash },
  }
}

type Issues = ChangeReply['issues']

/** A key that no setting has would be saved without an effect. */
function toUnknownIssue({ key, nearest }: UnknownSetting): Issues[number] {
  const hint = nearest ? ` Did you mean ${nearest}?` : ''
  return { key, code: 'unknown_setting', message: `${key} is not a setting.${hint}`, nearest }
}

function applyAll(text: string, changes: readonly Change[]): { text: string; issues: Issues } {
  const issues: Issues = []
  const result = changes.reduce((before, change) => {
    try {
      return applyOne(before, change)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      issues.push({ key: change.key, code: 'invalid_path', message: error.message })
      return before
    }
  }, text)
  return { text: result, issues }
}

/** A removal also takes out the old names of the setting. */
function applyOne(text: string, { key, value }: Change): string {
  if (value !== null && value !== undefined)
    return editSetting(text, toPath(key), value as SettingValue)
  const names = Object.entries(aliases).flatMap(([old, name]) => (name === key ? [old] : []))
  return [key, ...names].reduce((before, name) => removeSetting(before, toPath(name)), text)
}

function assertValid(issues: Issues): void {
  const [first] = issues
  if (!first) return
  throw new Refusal(
    'invalid',
    'invalid_settings',
    first.code === 'invalid_value' ? `${first.key}: ${first.message}` : first.message,
    { issues },
  )
}

function toPath(key: string): [string, ...string[]] {
  const [first = '', ...rest] = key.split('.')
  return [first, ...rest]
}

function overlaps(name: string, key: string): boolean {
  return isWithin(name, key) || isWithin(key, name)
}

function isWithin(name: string, section: string): boolean {
  return name === section || name.startsWith(`${section}.`)
}
