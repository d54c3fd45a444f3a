import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useText } from '../i18n/language.tsx'
import { NewVersionLine, OfflineLine, useHealth } from '../live/offline.tsx'
import type { DreamStatusReply } from '../queries/home.ts'
import { useRead } from '../queries/read.ts'
import { useSession } from '../queries/session.tsx'
import { type ScreenEntry, screens } from '../screens.ts'
import { Dialog } from '../widgets/dialog.tsx'
import { Brand, Icon } from '../widgets/icon.tsx'
import { Skeleton } from '../widgets/loaded.tsx'
import { Empty, markNavigation, Screen } from '../widgets/screen.tsx'
import { ScreenBoundary } from '../widgets/screen-boundary.tsx'
import { Commands } from './commands.tsx'
import { chooseTheme, readTheme, type Theme } from './theme.ts'

const pages = new Map(
  screens.map(({ name, load }) => [name, lazy(async () => ({ default: (await load()).Page }))]),
)
const tabNames = ['home', 'memories', 'knowledge', 'dreaming']

export function Frame() {
  const t = useText()
  const [location] = useLocation()
  const current = screens.find((screen) => matches(screen, location))
  const Page = current && pages.get(current.name)
  useNavigationMark(location)
  return (
    <>
      <a className="skip" href="#main">
        {t.frame.skip}
      </a>
      <div className="frame">
        <Rail current={current} />
        <div>
          <Top />
          <OfflineLine />
          <NewVersionLine />
          <main id="main" tabIndex={-1}>
            <ScreenBoundary key={current?.name ?? location}>
              <Suspense fallback={<Skeleton />}>{Page ? <Page /> : <NotFound />}</Suspense>
            </ScreenBoundary>
          </main>
        </div>
      </div>
      <Tabs current={current} />
    </>
  )
}

function useNavigationMark(location: string): void {
  const [first] = useState(location)
  useEffect(() => {
    if (location !== first) markNavigation()
  }, [location, first])
}

function matches({ paths }: ScreenEntry, location: string): boolean {
  return paths.some((path) =>
    new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(location.replace(/(.)\/$/, '$1')),
  )
}

function NotFound() {
  const t = useText()
  return (
    <Screen name={t.states.notFound}>
      <div className="sheet">
        <Empty title={t.states.notFound} text={t.states.notFoundText}>
          <Link className="button main" href="/ui/memories">
            {t.screens.memories}
          </Link>
        </Empty>
      </div>
    </Screen>
  )
}

interface CurrentProps {
  readonly current: ScreenEntry | undefined
}

function Rail({ current }: CurrentProps) {
  const t = useText()
  const { mode } = useSession()
  const { data } = useHealth()
  return (
    <nav className="rail" aria-label="Main">
      <Link className="brand" href="/" aria-label="Reverie" tabIndex={-1} aria-hidden="true">
        <Brand />
        {'Reverie'}
      </Link>
      <ScreenLinks current={current} />
      <footer>
        <ThemeButton />
        <span className="num">
          {data?.version}
          {mode === 'local' && ` · ${t.frame.thisMachine}`}
        </span>
      </footer>
    </nav>
  )
}

const groups = ['memory', 'understanding', 'inputs', 'running'] as const

function ScreenLinks({ current, onChoose }: CurrentProps & { readonly onChoose?: () => void }) {
  const t = useText()
  const waiting = useWaiting()
  const shown = groups.filter((group) => screens.some((screen) => screen.group === group))
  return shown.map((group) => (
    <div key={group}>
      {t.groups[group] && <h2>{t.groups[group]}</h2>}
      <ul>
        {screens
          .filter((screen) => screen.group === group)
          .map((screen) => (
            <li key={screen.name}>
              <ScreenLink
                screen={screen}
                isCurrent={screen === current}
                waiting={waiting(screen.name)}
                onChoose={onChoose}
              />
            </li>
          ))}
      </ul>
    </div>
  ))
}

interface ScreenLinkProps {
  readonly screen: ScreenEntry
  readonly isCurrent: boolean
  readonly waiting?: number | undefined
  readonly onChoose?: (() => void) | undefined
}

function ScreenLink({ screen, isCurrent, waiting, onChoose }: ScreenLinkProps) {
  const t = useText()
  const { name, paths } = screen
  return (
    <Link
      href={paths[0]}
      aria-current={isCurrent ? 'page' : undefined}
      aria-description={waiting === undefined ? undefined : t.frame.waiting(waiting)}
      onClick={() => onChoose?.()}
    >
      <Icon name={name} />
      {t.screens[name]}
      {waiting !== undefined && (
        <span className="count" aria-hidden="true">
          {waiting}
        </span>
      )}
    </Link>
  )
}

const nextTheme: Readonly<Record<Theme, Theme>> = {
  system: 'light',
  light: 'dark',
  dark: 'system',
}

function ThemeButton() {
  const t = useText()
  const [theme, setTheme] = useState(readTheme)
  const names = { system: t.frame.followsSystem, light: t.frame.light, dark: t.frame.dark }
  return (
    <button
      type="button"
      className="row"
      aria-label={`${t.frame.theme}: ${names[theme]}`}
      onClick={() => {
        chooseTheme(nextTheme[theme])
        setTheme(nextTheme[theme])
      }}
    >
      <Icon name="sun" isSmall />
      {names[theme]}
    </button>
  )
}

function Top() {
  return (
    <header className="top">
      <Commands />
      <HealthLink />
    </header>
  )
}

const tones: Readonly<Record<string, string>> = {
  healthy: 'good',
  ok: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
}

function HealthLink() {
  const t = useText()
  const { data, isError } = useHealth()
  const status = isError || !data ? 'unknown' : data.status
  const tone = tones[status] ?? ''
  const names: Readonly<Record<string, string>> = {
    good: t.frame.healthy,
    warn: t.frame.degraded,
    bad: t.frame.unhealthy,
  }
  const href = screens.find(({ name }) => String(name) === 'operations')?.paths[0] ?? '/'
  return (
    <Link className={`chip health ${tone}`} href={href}>
      <span className="unseen">{t.frame.health} </span>
      <i className={`dot ${tone}`} />
      {names[tone] ?? t.frame.unknownHealth}
    </Link>
  )
}

/** The navigation of a narrow window. */
function Tabs({ current }: CurrentProps) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <nav className="tabs" aria-label="Main">
      {screens
        .filter(({ name }) => tabNames.includes(name))
        .map((screen) => (
          <ScreenLink key={screen.name} screen={screen} isCurrent={screen === current} />
        ))}
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="more" />
        {t.frame.more}
      </button>
      {isOpen && (
        <Dialog title={t.frame.allScreens} onClose={() => setOpen(false)}>
          <div className="screen-list">
            <ScreenLinks current={current} onChoose={() => setOpen(false)} />
          </div>
          <ThemeButton />
        </Dialog>
      )}
    </nav>
  )
}

interface ProposalCount {
  readonly items: readonly unknown[]
}

/** How many decisions wait on a screen; undefined where none does or it is unknown. */
function useWaiting(): (name: ScreenEntry['name']) => number | undefined {
  const query = { status: 'pending', limit: 100 }
  const proposals = useRead<ProposalCount>('GET /api/ontology/proposals', { query })
  const dream = useRead<DreamStatusReply>('GET /api/dream/status')
  const counts: Partial<Record<ScreenEntry['name'], number | undefined>> = {
    knowledge: proposals.data?.items?.length,
    dreaming: dream.data?.plans,
  }
  return (name) => counts[name] || undefined
}
