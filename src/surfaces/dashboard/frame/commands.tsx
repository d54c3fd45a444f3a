import { useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { readPreference } from '../host.ts'
import { useText } from '../i18n/language.tsx'
import { useAgent } from '../queries/agent.tsx'
import { useRead } from '../queries/read.ts'
import type { Agents } from '../queries/running.ts'
import { Name } from '../text/plain-text.tsx'
import { Dialog } from '../widgets/dialog.tsx'
import { Icon } from '../widgets/icon.tsx'
import { useKeys } from './keys.ts'
import { Palette } from './palette.tsx'

type Open = 'palette' | 'agents' | 'help' | undefined

/** The button of the command palette, the palette, and the list of keys. */
export function Commands() {
  const t = useText()
  const [open, setOpen] = useState<Open>()
  const [, go] = useLocation()
  const openPalette = useCallback(() => setOpen('palette'), [])
  const openHelp = useCallback(() => setOpen('help'), [])
  const close = useCallback(() => setOpen(undefined), [])
  useKeys({ openPalette, openHelp, go })
  return (
    <>
      <button
        className="ask"
        type="button"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={openPalette}
      >
        <Icon name="search" />
        <span>{t.frame.search}</span>
        <span className="push" />
        <span aria-hidden="true">
          <kbd>{'⌘K'}</kbd>
        </span>
      </button>
      <span className="push" />
      <AgentButton onOpen={() => setOpen('agents')} />
      {(open === 'palette' || open === 'agents') && (
        <Palette
          onClose={close}
          onHelp={openHelp}
          startsWith={open === 'agents' ? t.frame.agent('') : ''}
        />
      )}
      {open === 'help' && <KeyList onClose={close} />}
    </>
  )
}

/** Whose memory is shown, where there are several agents. */
function AgentButton({ onOpen }: { readonly onOpen: () => void }) {
  const t = useText()
  const { agent } = useAgent()
  const agents = useRead<Agents>('GET /api/agents')
  if ((agents.data?.agents?.length ?? 0) < 2) return null
  return (
    <button type="button" className="button plain hide" aria-haspopup="dialog" onClick={onOpen}>
      <Name text={t.frame.agent(agent)} />
    </button>
  )
}

const keys = [
  ['Ctrl K', 'palette'],
  ['/', 'search'],
  ['?', 'help'],
  ['g', 'go'],
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open'],
  ['e', 'edit'],
  ['c', 'correct'],
  ['#', 'forget'],
  ['x', 'select'],
  ['a', 'apply'],
  ['r', 'reject'],
] as const

function KeyList({ onClose }: { readonly onClose: () => void }) {
  const t = useText()
  return (
    <Dialog title={t.keys.title} onClose={onClose}>
      <dl className="pairs keys">
        {keys.map(([key, name]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t.keys[name]}</dd>
          </div>
        ))}
      </dl>
      {readPreference('keys') === 'off' && <p className="faint">{t.keys.off}</p>}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          {t.common.close}
        </button>
      </div>
    </Dialog>
  )
}
