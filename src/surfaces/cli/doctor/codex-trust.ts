import { hash } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import type { Environment } from '../environment.ts'
import { isOurHook } from '../harnesses/harness.ts'
import { type Finding, ok, warn } from './finding.ts'

type Fields = Readonly<Record<string, unknown>>

interface InstalledHook {
  /** The name under which Codex stores its trust, after the path of the file. */
  readonly key: string
  readonly hash: string
}

/** Checks whether Codex runs the hooks: it skips hooks that its user has not trusted in their current form. */
export async function examineCodexTrust({ places }: Environment): Promise<Finding[]> {
  const { codexHome } = places
  const hooks = listOurHooks(await readDocument(join(codexHome, 'hooks.json'), JSON.parse))
  if (hooks.length === 0) return []
  const config = await readDocument(join(codexHome, 'config.toml'), parse)
  const states = toFields(toFields(config['hooks'])['state'])
  const folders = [codexHome, await realpath(codexHome)]
  const trusted = hooks.filter(({ key, hash }) =>
    folders.some((folder) => {
      const state = toFields(states[`${join(folder, 'hooks.json')}:${key}`])
      return state['trusted_hash'] === hash && state['enabled'] !== false
    }),
  )
  const detail = `${trusted.length} of ${hooks.length} hooks are trusted`
  return trusted.length === hooks.length
    ? [ok('codex', detail)]
    : [warn('codex', detail, 'Start codex, open /hooks and trust them.')]
}

function listOurHooks(document: Fields): InstalledHook[] {
  return Object.entries(toFields(document['hooks'])).flatMap(([event, groups]) =>
    toList(groups).flatMap((group, groupIndex) =>
      toList(toFields(group)['hooks']).flatMap((hook, index) => {
        if (!isOurHook(hook)) return []
        const name = event.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()
        return [{ key: `${name}:${groupIndex}:${index}`, hash: toHash(name, toFields(hook)) }]
      }),
    ),
  )
}

/** Codex hashes the event and the hook as JSON with sorted names. */
function toHash(event: string, hook: Fields): string {
  const sorted = Object.entries({ async: false, ...hook }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const identity = JSON.stringify({ event_name: event, hooks: [Object.fromEntries(sorted)] })
  return `sha256:${hash('sha256', identity)}`
}

/** A missing or malformed file holds nothing that Codex would run. */
async function readDocument(file: string, read: (text: string) => unknown): Promise<Fields> {
  try {
    return toFields(read(await readFile(file, 'utf8')))
  } catch {
    return {}
  }
}

function toFields(value: unknown): Fields {
  return Object(value) as Fields
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
