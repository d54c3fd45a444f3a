import { type KeyboardEvent, useDeferredValue, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useText } from '../i18n/language.tsx'
import { useAgent } from '../queries/agent.tsx'
import type { RecallReply } from '../queries/memories.ts'
import { useRead } from '../queries/read.ts'
import type { Agents } from '../queries/running.ts'
import { screens } from '../screens.ts'
import { cleanName } from '../text/hidden-characters.ts'
import { Name } from '../text/plain-text.tsx'
import { Dialog } from '../widgets/dialog.tsx'
import { chooseTheme } from './theme.ts'

interface PaletteProps {
  readonly onClose: () => void
  readonly onHelp: () => void
  /** What is typed at first. */
  readonly startsWith?: string
}

interface Choice {
  readonly id: string
  readonly group: string
  readonly text: string
  readonly run: () => void
}

const maxMemories = 6
const waitMs = 150

/** Goes to a screen or a memory, or runs a command. */
export function Palette({ onClose, onHelp, startsWith = '' }: PaletteProps) {
  const t = useText()
  const [query, setQuery] = useState(startsWith)
  const [active, setActive] = useState(0)
  const choices = useChoices(query.trim(), { onClose, onHelp })
  const index = Math.min(active, choices.length - 1)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive((index + step + choices.length) % Math.max(1, choices.length))
    }
    if (event.key === 'Enter') choices[index]?.run()
  }
  return (
    <Dialog title={t.palette.title} onClose={onClose}>
      <input
        className="palette-input"
        role="combobox"
        aria-label={t.palette.label}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={choices[index] && `choice-${index}`}
        autoComplete="off"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={t.palette.title} className="palette-list">
        {choices.map((choice, at) => (
          <div
            key={choice.id}
            id={`choice-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            onClick={choice.run}
            onKeyDown={onKeyDown}
            onPointerMove={() => setActive(at)}
          >
            <span className="oneline">
              <Name text={choice.text} />
            </span>
            <span className="faint push">{choice.group}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className="faint">{t.palette.nothing}</p>}
    </Dialog>
  )
}

function useChoices(query: string, { onClose, onHelp }: PaletteProps): readonly Choice[] {
  const t = useText()
  const [, go] = useLocation()
  const memories = useMemories(query)
  const agents = useAgents(onClose)
  const visit = (path: string) => () => {
    onClose()
    go(path)
  }
  const theme = (name: 'light' | 'dark' | 'system') => () => {
    chooseTheme(name)
    onClose()
  }
  const commands: readonly Choice[] = [
    { text: t.palette.remember, run: visit('/ui/memories?new=1') },
    { text: t.palette.light, run: theme('light') },
    { text: t.palette.dark, run: theme('dark') },
    { text: t.palette.system, run: theme('system') },
    { text: t.palette.keys, run: onHelp },
  ].map((command) => ({ ...command, id: command.text, group: t.palette.commands }))
  const own = [
    ...screens.map(({ name, paths }) => {
      const text = t.screens[name]
      return { id: name, group: t.palette.screens, text, run: visit(paths[0]) }
    }),
    ...commands,
    ...agents,
  ]
  const wanted = query.toLowerCase()
  return [
    ...own.filter(({ text }) => text.toLowerCase().includes(wanted)),
    ...memories.map(({ id, content }) => ({
      id,
      group: t.palette.memories,
      text: cleanName(content, 160),
      run: visit(`/ui/memories/${encodeURIComponent(id)}`),
    })),
  ]
}

/** The agents whose memory can be shown, where there are several. */
function useAgents(onClose: () => void): readonly Choice[] {
  const t = useText()
  const { choose } = useAgent()
  const { data } = useRead<Agents>('GET /api/agents')
  const agents = data?.agents ?? []
  if (agents.length < 2) return []
  return agents.map(({ id, name }) => {
    const run = () => {
      onClose()
      choose(name)
    }
    return { id: `agent ${id}`, group: t.palette.agents, text: t.frame.agent(name), run }
  })
}

function useMemories(query: string) {
  const deferred = useDeferredValue(query)
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(deferred), waitMs)
    return () => clearTimeout(timer)
  }, [deferred])
  const body = { query: settled, limit: maxMemories }
  const { data } = useRead<RecallReply>(
    'POST /api/memory/recall',
    { body },
    { isEnabled: settled !== '' },
  )
  return settled === '' ? [] : (data?.results ?? [])
}
