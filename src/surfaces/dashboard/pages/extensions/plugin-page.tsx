import { Link } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { PluginDetail, PluginEvents, PluginRecord } from '../../queries/extensions.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { Time } from '../../widgets/values.tsx'

/** One plugin: its rights, its panels by their titles, and what it did. None of its code runs here. */
export function PluginPage({ id }: { readonly id: string }) {
  const t = useText()
  const read = useRead<PluginDetail>('GET /api/plugins/:id/diagnostics', { path: { id } })
  const record = read.data?.plugin.record
  return (
    <Screen
      name={record?.name ?? id}
      title={<Name text={record?.name ?? id} />}
      actions={record && <Enable record={record} />}
    >
      <p className="row wrap faint crumbs">
        <Link href="/ui/extensions">{t.screens.extensions}</Link>
      </p>
      <Loaded read={read}>
        {({ plugin }) => (
          <div className="grid two">
            <div className="stack">
              <Rights record={plugin.record} />
              <Panels plugin={plugin} />
            </div>
            <Audit id={id} />
          </div>
        )}
      </Loaded>
    </Screen>
  )
}

function Enable({ record: { id, enabled } }: { readonly record: PluginRecord }) {
  const t = useText()
  const change = useChange('PATCH /api/plugins/:id')
  const set = (value: boolean) => change.run({ path: { id }, body: { enabled: value } })
  return (
    <ActionButton
      label={enabled ? t.running.switchOff : t.running.switchOn}
      isDisabled={change.isMissing}
      run={() => set(!enabled)}
      done={t.memories.edited}
      undo={() => set(enabled)}
    />
  )
}

function Rights({ record }: { readonly record: PluginRecord }) {
  const t = useText()
  const { id, declaredCapabilities, grantedCapabilities, state, stateReason } = record
  const change = useChange('PUT /api/plugins/:id/grants')
  const set = (capabilities: readonly string[]) =>
    change.run({ path: { id }, body: { capabilities } })
  return (
    <Sheet title={t.extensions.rights} aside={state} isFlush>
      {stateReason !== undefined && (
        <p className="pad">
          <PlainText text={stateReason} />
        </p>
      )}
      <ul className="lines" aria-label={t.extensions.rights}>
        {declaredCapabilities.length === 0 && <li className="faint">{t.common.none}</li>}
        {declaredCapabilities.map((name) => {
          const isGranted = grantedCapabilities.includes(name)
          const others = grantedCapabilities.filter((one) => one !== name)
          return (
            <li key={name} className="single">
              <i className={isGranted ? 'dot good' : 'dot'} aria-hidden="true" />
              <p>
                <Name text={name} />
              </p>
              <span className="push">
                <ActionButton
                  label={isGranted ? t.extensions.withdraw : t.extensions.grant}
                  isDisabled={change.isMissing}
                  run={() => set(isGranted ? others : [...grantedCapabilities, name])}
                  done={t.memories.edited}
                  undo={() => set(grantedCapabilities)}
                />
              </span>
            </li>
          )
        })}
      </ul>
    </Sheet>
  )
}

function Panels({ plugin }: PluginDetail) {
  const t = useText()
  const panels = plugin.activeSurfaces.dashboardPanels
  return (
    <>
      {panels.length > 0 && (
        <Sheet title={t.extensions.panels}>
          {panels.map(({ id, title, summary }) => (
            <p key={id}>
              <b>
                <Name text={title} />
              </b>
              <br />
              <PlainText text={summary} />
            </p>
          ))}
        </Sheet>
      )}
      {plugin.validationErrors.map((error) => (
        <div key={error} className="notice" role="alert">
          <p>
            <PlainText text={error} />
          </p>
        </div>
      ))}
    </>
  )
}

function Audit({ id }: { readonly id: string }) {
  const t = useText()
  const query = { pluginId: id, limit: 100 }
  const read = useRead<PluginEvents>('GET /api/plugins/audit', { query })
  return (
    <Sheet title={t.extensions.audit} isFlush>
      <Loaded read={read}>
        {({ events }) => (
          <ul className="lines" aria-label={t.extensions.audit}>
            {events.length === 0 && <li className="faint">{t.extensions.noEvents}</li>}
            {events.map((entry) => (
              <li key={entry.id}>
                <i className={entry.result === 'ok' ? 'dot good' : 'dot warn'} aria-hidden="true" />
                <p>
                  <Name text={entry.event} /> <span className="faint">{entry.result}</span>
                </p>
                <Time at={entry.timestamp} className="when" />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Sheet>
  )
}
