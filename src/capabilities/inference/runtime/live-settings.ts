import type { Log } from '../../../kernel/log/log.ts'
import type { InferenceConfig } from '../config/config.ts'
import { isWellFormed, parseConfig } from '../config/parse-config.ts'

export interface RawSettings {
  /** The section `inference` and the extraction model of earlier versions, as written. */
  read(): { readonly section: unknown; readonly extraction: unknown }
  onChange(listener: () => void): void
}

export interface LiveSettings {
  /** A call ends with the settings it began with: read this once for each call. */
  current(): InferenceConfig
  onChange(listener: () => void): void
}

/**
 * Parses the settings at start and after each change, and logs their issues. The last good settings
 * stay in effect after a change to broken ones, which only report their issues.
 */
export function createLiveSettings(
  raw: RawSettings,
  log: Pick<Log, 'warn' | 'error'>,
): LiveSettings {
  const listeners: (() => void)[] = []
  const state = { config: parseConfig(raw.read()), written: JSON.stringify(raw.read()) }
  const logIssues = () => {
    for (const { severity, ...issue } of state.config.issues)
      log[severity === 'error' ? 'error' : 'warn'](issue, 'inference setting invalid')
  }
  logIssues()
  raw.onChange(() => {
    const settings = raw.read()
    const json = JSON.stringify(settings)
    if (json === state.written) return
    state.written = json
    const config = parseConfig(settings)
    state.config = isGood(settings.section, config)
      ? config
      : { ...state.config, issues: config.issues }
    logIssues()
    for (const listen of listeners) listen()
  })
  return {
    current: () => state.config,
    onChange: (listener) => {
      listeners.push(listener)
    },
  }
}

function isGood(section: unknown, { issues }: InferenceConfig): boolean {
  return isWellFormed(section) && issues.every(({ severity }) => severity !== 'error')
}
