import { join } from 'node:path'
import type { ServiceManager, ServicePlaces, ServiceSettings } from './service-manager.ts'

const unit = 'reverie.service'
const systemctl = ['systemctl', '--user'] as const

/** A user unit: systemd starts it when the user logs in. */
export function systemd({ configHome }: ServicePlaces): ServiceManager {
  return {
    name: 'systemd',
    files: (settings) => [
      { path: join(configHome, 'systemd', 'user', unit), text: renderUnit(settings) },
    ],
    probe: [...systemctl, 'show-environment'],
    register: [
      [...systemctl, 'daemon-reload'],
      [...systemctl, 'enable', unit],
    ],
    start: [...systemctl, 'restart', unit],
    unregister: [[...systemctl, 'disable', '--now', unit]],
    forget: [[...systemctl, 'daemon-reload']],
    query: [...systemctl, 'is-active', unit],
    running: /^active/,
    note: 'systemd stops it when you log out. To keep it running: loginctl enable-linger',
  }
}

/** The delay between restarts grows from 2 s to 5 minutes; older versions of systemd ignore the growth. */
function renderUnit({ words, variables, startLog }: ServiceSettings): string {
  const environment = Object.entries(variables).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
  )
  return [
    '# Written by reverie service install; removed by reverie service uninstall.',
    '[Unit]',
    'Description=Reverie, a memory for AI agents',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${words.map((word) => quote(word).replaceAll('$', '$$$$')).join(' ')}`,
    ...environment,
    'UMask=0077',
    'Restart=on-failure',
    'RestartSec=2',
    'RestartSteps=8',
    'RestartMaxDelaySec=300',
    'TimeoutStopSec=60',
    'KillMode=mixed',
    'StandardOutput=null',
    `StandardError=truncate:${startLog.replaceAll('%', '%%')}`,
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n')
}

/** Within double quotes, systemd expands backslashes and percent signs. */
function quote(word: string): string {
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')
  return `"${escaped}"`
}
