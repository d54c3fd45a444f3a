import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { applyDisplay, chooseTheme, readTheme } from '../../frame/theme.ts'
import { readPreference, savePreference } from '../../host.ts'
import { useLanguage, useText } from '../../i18n/language.tsx'
import { call, setCsrf } from '../../queries/api.ts'
import { useRead } from '../../queries/read.ts'
import type { ConfigFiles } from '../../queries/running.ts'
import { useSession } from '../../queries/session.tsx'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Field, Screen, Sheet } from '../../widgets/screen.tsx'
import { useRun } from '../../widgets/use-run.tsx'
import { SettingsForm } from './form.tsx'

export function Page() {
  const t = useText()
  return (
    <Screen name={t.screens.settings} lede={t.running.settingsLede}>
      <div className="grid two">
        <div className="stack">
          <SettingsForm />
          <Files />
        </div>
        <Appearance />
      </div>
    </Screen>
  )
}

const themes = ['system', 'light', 'dark'] as const

function Appearance() {
  const t = useText()
  const { language, choose } = useLanguage()
  const [theme, setTheme] = useState(readTheme)
  const [areKeysOn, setKeysOn] = useState(readPreference('keys') !== 'off')
  return (
    <Sheet title={t.running.appearance}>
      <div className="stack">
        <div role="radiogroup" aria-label={t.frame.theme} className="row wrap">
          {themes.map((name) => (
            <label key={name} className="check">
              <input
                type="radio"
                name="theme"
                checked={theme === name}
                onChange={() => {
                  chooseTheme(name)
                  setTheme(name)
                }}
              />
              {t.running.themes[name]}
            </label>
          ))}
        </div>
        <Field label={t.running.language}>
          <select
            value={language}
            onChange={({ target }) => choose(target.value === 'zh' ? 'zh' : 'en')}
          >
            <option value="en">{'English'}</option>
            <option value="zh">{'中文'}</option>
          </select>
        </Field>
        <label className="check">
          <input
            type="checkbox"
            checked={areKeysOn}
            onChange={({ target }) => {
              savePreference('keys', target.checked ? undefined : 'off')
              setKeysOn(target.checked)
            }}
          />
          {t.running.singleKeys}
        </label>
        <Density />
        <SignOut />
      </div>
    </Sheet>
  )
}

function Density() {
  const t = useText()
  const [isCompact, setCompact] = useState(readPreference('density') === 'compact')
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isCompact}
        onChange={({ target }) => {
          savePreference('density', target.checked ? 'compact' : undefined)
          applyDisplay()
          setCompact(target.checked)
        }}
      />
      {t.running.compact}
    </label>
  )
}

/** A service of this machine alone has no sign-in. */
function SignOut() {
  const t = useText()
  const queries = useQueryClient()
  const { mode, name } = useSession()
  const { run, failure, isRunning } = useRun(async () => {
    await call('DELETE /api/auth/session')
    setCsrf(undefined)
    await queries.resetQueries()
  })
  if (mode === 'local') return null
  return (
    <div className="stack tight">
      <p className="faint">
        {t.running.signedInAs} <Name text={name ?? ''} />
      </p>
      {failure}
      <p>
        <button type="button" className="button" disabled={isRunning} onClick={run}>
          {t.running.signOut}
        </button>
      </p>
    </div>
  )
}

/** The files of the workspace, settings included, as they are on the disk. */
function Files() {
  const t = useText()
  const read = useRead<ConfigFiles>('GET /api/config')
  return (
    <Sheet title={t.running.files}>
      <Loaded read={read}>
        {({ files }) => (
          <div className="stack">
            {files.length === 0 && <p className="faint">{t.running.noFiles}</p>}
            {files.map(({ name, content }) => (
              <details key={name} className="fold">
                <summary>
                  <Name text={name} />
                </summary>
                <pre className="code">
                  <PlainText text={content} />
                </pre>
              </details>
            ))}
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}
