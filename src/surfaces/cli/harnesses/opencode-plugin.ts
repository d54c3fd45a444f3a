import { type Launcher, toHookOptions } from './harness.ts'

export const pluginMarker =
  '// Written by `reverie install opencode`; removed by `reverie uninstall opencode`.'

/**
 * The plugin is a file that the harness runs; it cannot import files of Reverie. The first major
 * version of the harness calls `server`, the second `setup`.
 */
export function renderPlugin({ hookWords, target }: Launcher): string {
  const start = running(hookWords, toHookOptions(target ?? {}))
  return [pluginMarker, start, first, second, exported].join('\n')
}

const running = (
  words: readonly string[],
  options: readonly string[],
) => `import { spawn } from 'node:child_process'

const [program, ...words] = ${JSON.stringify(words)}
const options = ${JSON.stringify(options)}
const maxSessions = 200
const maxTranscripts = 20
const maxCharacters = 1000000

/** The output of \`reverie hook\`; empty if it cannot run. */
function hook(event, said) {
  return new Promise((resolve) => {
    const args = [...words, 'hook', event, '-H', 'opencode', '--runtime-path', 'plugin']
    args.push(...options)
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
    const parts = []
    child.stdout.on('data', (part) => parts.push(part))
    child.on('error', () => resolve(''))
    child.on('close', () => resolve(Buffer.concat(parts).toString('utf8').trim()))
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(said))
  })
}

/** Removes the oldest entry above the limit. */
function remember(sessions, sessionID, value, maxSize = maxSessions) {
  sessions.delete(sessionID)
  sessions.set(sessionID, value)
  if (sessions.size > maxSize) sessions.delete(sessions.keys().next().value)
}

function textOf(parts) {
  const texts = parts.filter((part) => part.type === 'text' && !part.synthetic)
  return texts.map((part) => part.text).join('\\n')
}

function toTranscript(turns) {
  const text = turns.map((turn) => JSON.stringify(turn)).join('\\n')
  return text.length > maxCharacters ? text.slice(text.indexOf('\\n', -maxCharacters) + 1) : text
}
`

const first = `
const server = async ({ client, directory }) => {
  /** The start context of each session; the system prompt carries it. */
  const starts = new Map()
  /** A deleted session has no messages to read. */
  const transcripts = new Map()
  const pending = new Set()
  let ownPrompts
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
    const messages = await messagesOf(sessionID)
    return toTranscript(
      messages.map(({ info, parts }) => ({ role: info.role, content: textOf(parts) })),
    )
  }

  /** Reads the start context again after a restart of the harness or a compaction. */
  async function start(sessionID) {
    const said = { sessionID, directory, source: 'compact' }
    remember(starts, sessionID, await hook('session-start', said))
  }

  /** Whether it is a request of the harness itself, such as the one for a title. */
  async function isOwnRequest(prompt = '') {
    try {
      ownPrompts ??= (await client.app.agents()).data
        .filter((agent) => agent.hidden && agent.prompt)
        .map((agent) => agent.prompt)
      return ownPrompts.some((own) => prompt.startsWith(own))
    } catch {
      return prompt.startsWith('You are a title generator')
    }
  }

  const on = {
    'session.idle': async ({ sessionID }) => {
      const transcript = await transcriptOf(sessionID)
      remember(transcripts, sessionID, transcript, maxTranscripts)
      await hook('checkpoint', { sessionID, directory, transcript })
    },
    'session.compacted': async ({ sessionID }) => {
      const made = (await messagesOf(sessionID)).findLast(({ info }) => info.summary === true)
      const summary = made ? textOf(made.parts) : ''
      await hook('compaction-complete', { sessionID, directory, summary })
      await start(sessionID)
    },
    'session.deleted': async ({ info: { id } }) => {
      const transcript = (await transcriptOf(id)) || transcripts.get(id)
      starts.delete(id)
      transcripts.delete(id)
      const said = { sessionID: id, directory, reason: 'session.deleted', transcript }
      await hook('session-end', said)
    },
  }

  return {
    event: async ({ event }) => {
      const work = on[event.type]?.(event.properties)
      pending.add(work)
      await work
      pending.delete(work)
    },
    /** In print mode the harness ends as soon as a session is idle. */
    dispose: async () => {
      await Promise.allSettled(pending)
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const prompt = textOf(parts)
      if (!starts.has(sessionID)) await start(sessionID)
      const text = await hook('user-prompt-submit', { sessionID, directory, prompt })
      if (text === '') return
      given += 1
      const id = \`prt_reverie\${given}\${message.id}\`
      parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true })
    },
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const text = starts.get(sessionID)
      if (text && !(await isOwnRequest(system[0]))) system.push(text)
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const text = await hook('pre-compaction', { sessionID, directory })
      if (text !== '') output.context.push(text)
    },
  }
}
`

const second = `
const setup = async (ctx) => {
  const { directory } = ctx.location
  /** The start context of each session; no message contains it, so every request does. */
  const begun = new Map()
  /** The reply to the last prompt of each session. */
  const answered = new Map()
  const transcripts = new Map()

  async function turnsOf(sessionID) {
    const messages = await ctx.session.context({ sessionID }).catch(() => [])
    return messages.flatMap(({ type, text, content }) => {
      if (type === 'user') return [{ role: 'user', content: text }]
      return type === 'assistant' ? [{ role: 'assistant', content: textOf(content) }] : []
    })
  }

  const on = {
    'session.execution.succeeded': async (sessionID) => {
      const transcript = toTranscript(await turnsOf(sessionID))
      remember(transcripts, sessionID, transcript, maxTranscripts)
      await hook('checkpoint', { sessionID, directory, transcript })
    },
    'session.compaction.ended': async (sessionID, { text }) => {
      await hook('compaction-complete', { sessionID, directory, summary: text ?? '' })
      remember(begun, sessionID, undefined)
    },
    'session.deleted': async (sessionID) => {
      const transcript = toTranscript(await turnsOf(sessionID)) || transcripts.get(sessionID)
      for (const map of [begun, answered, transcripts]) map.delete(sessionID)
      await hook('session-end', { sessionID, directory, reason: 'session.deleted', transcript })
    },
  }

  await ctx.session.hook('prompt', async ({ sessionID, prompt }) => {
    // A restart of the harness loses it, as a compaction does.
    if (!begun.get(sessionID))
      remember(begun, sessionID, await hook('session-start', { sessionID, directory, source: 'compact' }))
    const text = await hook('user-prompt-submit', { sessionID, directory, prompt: prompt.text })
    remember(answered, sessionID, text)
  })
  await ctx.session.hook('context', ({ sessionID, system }) => {
    for (const text of [begun.get(sessionID), answered.get(sessionID)])
      if (text) system.push({ type: 'text', text })
  })
  await ctx.session.hook('compaction', async ({ sessionID, system }) => {
    const text = await hook('pre-compaction', { sessionID, directory })
    if (text !== '') system.push({ type: 'text', text })
  })

  const events = ctx.event.subscribe()[Symbol.asyncIterator]()
  async function listen() {
    for await (const { type, data } of { [Symbol.asyncIterator]: () => events }) {
      // Events come from all projects; only sessions with a prompt here belong to this one.
      if (begun.has(data?.sessionID)) await on[type]?.(data.sessionID, data)
    }
  }
  void listen().catch(() => undefined)
  return () => {
    // Ends the pending wait for the next event.
    void events.return?.()
  }
}
`

const exported = `
export default { id: 'reverie', server, setup }
`
