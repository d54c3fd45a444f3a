import type { Launcher } from './harness.ts'

export const pluginMarker =
  '// Written by `reverie install opencode`; removed by `reverie uninstall opencode`.'

/** The plugin is a file of its own, run by the harness: it may import nothing of ours. */
export function renderPlugin({ words }: Launcher): string {
  return `${pluginMarker}
import { spawn } from 'node:child_process'

const [program, ...words] = ${JSON.stringify(words)}
const mostSessions = 200
const mostCharacters = 1000000

/** What \`reverie hook\` prints; empty when it cannot be run. */
function hook(event, said) {
  return new Promise((resolve) => {
    const args = [...words, 'hook', event, '-H', 'opencode', '--runtime-path', 'plugin']
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    const parts = []
    child.stdout.on('data', (part) => parts.push(part))
    child.on('error', () => resolve(''))
    child.on('close', () => resolve(Buffer.concat(parts).toString('utf8').trim()))
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(said))
  })
}

function textOf(parts) {
  const texts = parts.filter((part) => part.type === 'text' && !part.synthetic)
  return texts.map((part) => part.text).join('\\n')
}

export const Reverie = async ({ client, directory }) => {
  /** Those that have been told what they begin with, the oldest first. */
  const started = new Set()
  let given = 0

  async function messagesOf(sessionID) {
    try {
      const { data } = await client.session.messages({ path: { id: sessionID } })
      return data ?? []
    } catch {
      return []
    }
  }

  async function transcriptOf(sessionID) {
    const turns = (await messagesOf(sessionID)).map(({ info, parts }) =>
      JSON.stringify({ role: info.role, content: textOf(parts) }),
    )
    const text = turns.join('\\n')
    return text.length > mostCharacters ? text.slice(text.indexOf('\\n', -mostCharacters) + 1) : text
  }

  async function begin(sessionID) {
    if (started.has(sessionID)) return ''
    started.add(sessionID)
    if (started.size > mostSessions) started.delete(started.values().next().value)
    return hook('session-start', { sessionID, directory })
  }

  const on = {
    'session.idle': async ({ sessionID }) => {
      const transcript = await transcriptOf(sessionID)
      await hook('checkpoint', { sessionID, directory, transcript })
    },
    'session.compacted': async ({ sessionID }) => {
      const made = (await messagesOf(sessionID)).findLast(({ info }) => info.summary === true)
      const summary = made ? textOf(made.parts) : ''
      await hook('compaction-complete', { sessionID, directory, summary })
      started.delete(sessionID)
    },
    'session.deleted': async ({ info }) => {
      started.delete(info.id)
      await hook('session-end', { sessionID: info.id, directory, reason: 'session.deleted' })
    },
  }

  return {
    event: async ({ event }) => {
      await on[event.type]?.(event.properties)
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const prompt = textOf(parts)
      const told = [
        await begin(sessionID),
        await hook('user-prompt-submit', { sessionID, directory, prompt }),
      ]
      const text = told.filter((part) => part !== '').join('\\n')
      if (text === '') return
      given += 1
      const id = \`prt_reverie\${given}\${message.id}\`
      parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true })
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const told = await hook('pre-compaction', { sessionID, directory })
      if (told !== '') output.context.push(told)
    },
  }
}
`
}
